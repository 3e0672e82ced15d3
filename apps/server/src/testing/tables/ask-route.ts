import { type Answer, call } from '../clients/http-client.ts';
import type { Place } from './authorisation-place.ts';
import type { Row } from './authorisation-row.ts';

export type Asked = { route: string; row: Row };

/** One request of the table, in a place that has what its path names. */
export async function askRoute(
  { route, row }: Asked,
  place: Place,
  { token, mount = '' }: { token: string | undefined; mount?: string },
): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ');
  const parameters: Record<string, string> = { ...place.parameters, ...row.parameters?.(place) };
  const path = pattern.replaceAll(/\{(\w+)\}|(\*)/g, (_whole, name = '*') => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`The place has nothing for {${name}}; give it some`);
    return value;
  });
  const isGit = path.startsWith('/git/');
  const authorization = isGit ? `Basic ${Buffer.from(`any:${token}`).toString('base64')}` : `Bearer ${token}`;
  const json = row.jsonFor?.(place) ?? row.json;
  return call(method, `${place.service.url}${isGit ? '' : mount}${path}${row.query ?? ''}`, {
    ...(json !== undefined && { json }),
    ...(row.body !== undefined && { body: row.body }),
    headers: { ...row.headers, ...(token !== undefined && { authorization }) },
  });
}
