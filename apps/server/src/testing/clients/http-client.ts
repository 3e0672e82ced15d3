/** The whole answer. JSON bodies are parsed; anything else stays text. */
export type Answer<Body = Record<string, unknown>> = { status: number; headers: Headers; body: Body; text: string };

type Call = {
  token?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
};

/** One request with fetch, as a user's script would make it. */
export async function call<Body = Record<string, unknown>>(
  method: string,
  url: string,
  { token, json, body, headers }: Call = {},
): Promise<Answer<Body>> {
  const payload = json === undefined ? body : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}
