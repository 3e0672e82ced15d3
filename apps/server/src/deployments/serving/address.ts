import type { IncomingMessage } from 'node:http';
import { mayBeDomain } from '../../domains/index.ts';
import { isBranchLabel } from '../state/index.ts';

/** The app that a request is for, and the path in it. */
export type AppAddress = {
  by: 'deployment' | 'branch' | 'name' | 'domain';
  key: string;
  /** The path as it was sent, with the query. */
  path: string;
  /** The part before the path. Empty if the app has its own host. */
  prefix: string;
};

const deploymentLabel = /^dep-([0-9a-z]{26})$/;
const pathForm = /^\/d\/(dep_[0-9a-z]{26})(\/.*|\?.*|)$/;

/**
 * The app at a host, by its first label. Host names have no underscore, so a deployment's id is written with a dash.
 */
export function appOfLabel(label: string): Pick<AppAddress, 'by' | 'key'> | null {
  const [, id] = deploymentLabel.exec(label) ?? [];
  if (id) return { by: 'deployment', key: `dep_${id}` };
  if (isBranchLabel(label)) return { by: 'branch', key: label };
  return /^[a-z0-9-]{1,63}$/.test(label) ? { by: 'name', key: label } : null;
}

const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');

/** The address of an app at a custom domain, if the host may be one. The service uses none of its paths. */
export function domainAddress(request: IncomingMessage, appsHost: string): AppAddress | null {
  const host = hostOf(request);
  if (host === appsHost || host.endsWith(`.${appsHost}`) || !mayBeDomain(host)) return null;
  return { by: 'domain', key: host, path: request.url ?? '/', prefix: '' };
}

/** The address by the first label of the host, or as /d/{deployment_id}/… on the host itself. */
export function addressOf(request: IncomingMessage, appsHost: string): AppAddress | null {
  const host = hostOf(request);
  const path = request.url ?? '/';
  if (host.endsWith(`.${appsHost}`)) {
    const app = appOfLabel(host.slice(0, -appsHost.length - 1));
    return app && { ...app, path, prefix: '' };
  }
  const [, id = '', rest = ''] = pathForm.exec(path) ?? [];
  return id === '' ? null : { by: 'deployment', key: id, path: rest, prefix: `/d/${id}` };
}
