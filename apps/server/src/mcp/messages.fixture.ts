import { type Answer, call } from '../testing/clients/http-client.ts';

type Sent = { token?: string; query?: string; headers?: Record<string, string> };

const accept = 'application/json, text/event-stream';

/** Sends a message unchanged, valid or not. */
export const postMessage = (
  { url }: { url: string },
  message: unknown,
  { token, query = '', headers = {} }: Sent = {},
): Promise<Answer> =>
  call('POST', `${url}/mcp${query}`, {
    ...(token !== undefined && { token }),
    json: message,
    headers: { accept, ...headers },
  });

/** The answer to a message; in the era of 2025 it is an event. */
export function messageOf({ text }: Answer): Message {
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? (text || '{}'));
}
type Message = {
  error?: { code: number; message: string };
  result?: { isError?: boolean; content?: { text: string }[] };
};

export const request = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params !== undefined && { params }),
});

export const toolCall = (name: unknown, input?: unknown) => request('tools/call', { name, arguments: input });

/** The metadata of a message of 2026-07-28, in its body and in its headers. */
export function modern(method: string, params: Record<string, unknown> = {}) {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers: Record<string, string> = { 'mcp-protocol-version': version, 'mcp-method': method };
  if (typeof params.name === 'string') headers['mcp-name'] = params.name;
  return { message: request(method, { ...params, _meta }), headers };
}
