export type Caller = { bottega: string; key: string };

/** One request below /v1 that has to succeed. */
export async function send<Body>(
  { bottega, key }: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(`${bottega}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? null : await response.json()) as Body;
}
