/** A route as data: how to make a request, and how it may be repeated. */
export type Operation = {
  /** Method and path, such as `GET /projects/{project_id}`. */
  address: string;
  /** Where the caller's input goes. */
  input?: 'query' | 'body';
  /** For a list: the field of the answer that holds its items. */
  items?: string;
  /** Whether the next page is requested by offset. Otherwise, the `Link` header of the response contains it. */
  hasOffset?: boolean;
  /**
   * How often a request may be sent. `key`: repeatedly, with an Idempotency-Key. `never`: once, or again only if the
   * service has not executed it. By default, as often as needed.
   */
  repeat?: 'key' | 'never';
  /** The kind of response. The default is JSON. */
  answer?: 'nothing' | 'bytes';
};

/** Inserts values into a path. Each value is one segment, whatever it contains. */
export function pathOf(address: string, values: readonly unknown[]): { method: string; path: string } {
  const [method = '', template = ''] = address.split(' ');
  let next = 0;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[next++]));
  return { method, path };
}

export const countOfParams = (address: string): number => address.split('{').length - 1;

/** Encodes a segment. `.` or `..` would lead to another route when the URL is normalised. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be a non-empty string; it is ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

export type QueryValues = Record<string, unknown>;

/** The query. Lists become comma-separated values, and times become ISO 8601. */
export function queryText(values: QueryValues = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null)
      query.set(name, value instanceof Date ? value.toISOString() : `${value}`);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
