import type { IncomingMessage } from 'node:http';

/** A port of a workspace, by the first label of its host. */
export type PortAddress = { workspaceId: string; port: number };

const label = /^(\d{1,5})-wks-([0-9a-z]{26})$/;

export function portOfLabel(text: string): PortAddress | null {
  const [, port = '', id = ''] = label.exec(text) ?? [];
  const number = Number(port);
  return id !== '' && number >= 1 && number <= 65_535 ? { workspaceId: `wks_${id}`, port: number } : null;
}

export function portAddressOf({ headers }: Pick<IncomingMessage, 'headers'>, appsHost: string): PortAddress | null {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  return host.endsWith(`.${appsHost}`) ? portOfLabel(host.slice(0, -appsHost.length - 1)) : null;
}
