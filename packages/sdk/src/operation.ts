/** A route as data: what a request is made of, and how it may be repeated. */
export type Operation = {
  /** Method and path, as `GET /projects/{project_id}`. */
  address: string;
  /** Where what the caller gives goes. */
  input?: 'query' | 'body';
  /** Of a list: the field of the answer that holds its items. */
  items?: string;
  /** The following page is asked for by its offset; else the `Link` header of the answer names it. */
  hasOffset?: boolean;
  /** `key`: with an Idempotency-Key; `never`: once, unless the service did nothing. Without it, as often as needed. */
  repeat?: 'key' | 'never';
  /** JSON without it. */
  answer?: 'nothing' | 'bytes';
};

/** Where the values of a path go; each is one segment, whatever is in it. */
export function pathOf(address: string, values: readonly unknown[]): { method: string; path: string } {
  const [method = '', template = ''] = address.split(' ');
  let next = 0;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[next++]));
  return { method, path };
}

export const countOfParams = (address: string): number => address.split('{').length - 1;

/** A dot or two would lead to another route once the address is normalised. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} must be a non-empty string; it is ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

export type QueryValues = Record<string, unknown>;

/** Lists are sent as their values with commas between them, times as ISO 8601. */
export function queryText(values: QueryValues = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null)
      query.set(name, value instanceof Date ? value.toISOString() : `${value}`);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
