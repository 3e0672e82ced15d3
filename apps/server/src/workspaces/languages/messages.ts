/** The parts of JSON-RPC messages that the service looks at. Both clients and servers may send anything. */

export type MessageId = number | string;
export type Refusal = { code: number; message: string };
export type Answer = { result: unknown } | { error: Refusal };
export type Message = {
  id: MessageId | null;
  method: string | null;
  params: unknown;
  answer: Answer | null;
};

export const refusals = {
  parse: -32_700,
  invalid: -32_600,
  unknownMethod: -32_601,
  notInitialized: -32_002,
  failed: -32_803,
  serverCancelled: -32_802,
  cancelled: -32_800,
} as const;

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/**
 * Looks up a name that came from a client or a server. Undefined if the object does not have it as its own property.
 */
export const ownValue = <Value>(object: Record<string, Value>, name: unknown): Value | undefined =>
  typeof name === 'string' && Object.hasOwn(object, name) ? object[name] : undefined;

export const refused = (code: number, message: string): Answer => ({ error: { code, message } });

/** Throws if the bytes are not a message. */
export function parseMessage(body: Buffer): Message {
  const value: unknown = JSON.parse(body.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a message');
  const { id, method, params, result, error } = value as Fields;
  const isId = (typeof id === 'number' && Number.isSafeInteger(id)) || (typeof id === 'string' && id.length <= 100);
  const isAnswer = typeof method !== 'string' && isId;
  return {
    id: isId ? (id as MessageId) : null,
    method: typeof method === 'string' ? method.slice(0, 200) : null,
    params,
    answer: isAnswer ? (error === undefined ? { result } : { error: refusalOf(error) }) : null,
  };
}

function refusalOf(error: unknown): Refusal {
  const { code, message } = fieldsOf(error);
  return {
    code: Number.isSafeInteger(code) ? (code as number) : refusals.failed,
    message: typeof message === 'string' ? message.slice(0, 1_000) : 'The language server refused the request',
  };
}
