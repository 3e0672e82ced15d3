import { absolutePath, ClientMessage, type ErrorCode } from '@bottega/contract';
import { fieldErrors } from '../../foundation/http/request/validation.ts';
import { createValidators, type Validator } from '../../foundation/http/request/validator.ts';

export type Refusal = { code: ErrorCode; message: string; details: Record<string, unknown>; seq?: number };

const validatorOf = createValidators();
/** One validator for each type, so that an error is about the message's own type and not about all types. */
const validators = new Map<string, Validator<ClientMessage>>(
  ClientMessage.anyOf.map((schema) => [schema.properties.type.const, validatorOf<ClientMessage>(schema)]),
);
const messageTypes = [...validators.keys()].join(', ');

/** The message in a text frame, or why it is invalid. */
export function parseMessage(text: string): ClientMessage | Refusal {
  const value = parsed(text);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return refusal('A message must be a JSON object');
  }
  const { type, seq } = value as { type?: unknown; seq?: unknown };
  const about = Number.isSafeInteger(seq) && (seq as number) >= 0 ? { seq: seq as number } : {};
  const validate = typeof type === 'string' ? validators.get(type) : undefined;
  if (!validate) return { ...refusal('The message is not valid', [unknownType]), ...about };
  if (validate(value)) return withAbsolutePaths(value);
  return { ...refusal('The message is not valid', fieldErrors(validate.errors ?? [])), ...about };
}

function withAbsolutePaths(message: ClientMessage): ClientMessage {
  const named = message as { file_path?: string; new_path?: string };
  if (named.file_path !== undefined) named.file_path = absolutePath(named.file_path);
  if (named.new_path !== undefined) named.new_path = absolutePath(named.new_path);
  return message;
}

export const isRefusal = (read: ClientMessage | Refusal): read is Refusal => 'code' in read;

const unknownType = { field: 'type', message: `must be one of ${messageTypes}` };

const refusal = (message: string, fields: { field: string; message: string }[] = []): Refusal => ({
  code: 'VALIDATION_ERROR',
  message,
  details: { fields },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
