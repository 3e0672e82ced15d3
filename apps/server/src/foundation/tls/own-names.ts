/** The service's own addresses. It serves their hosts and redirects visitors to them. */
export type OwnHosts = { publicUrl(): string; appsUrl(): string };

export const hostOf = (url: string): string => new URL(url).hostname;

/** Normalises a host name for comparison. */
export const plainName = (given: string): string => given.toLowerCase().replace(/\.$/, '');

/** Whether apps are served at this name: at the shared host, or below it. The service's own host never counts. */
export function isAppsName(name: string, { publicUrl, appsUrl }: OwnHosts): boolean {
  const apps = hostOf(appsUrl());
  return name !== hostOf(publicUrl()) && (name === apps || name.endsWith(`.${apps}`));
}

/** The address of one of our hosts. Null for any other host. */
export function originOf(name: string, hosts: OwnHosts): string | null {
  if (name === hostOf(hosts.publicUrl())) return hosts.publicUrl();
  return isAppsName(name, hosts) ? domainOrigin(name, hosts) : null;
}

/** The origin of a host that serves deployments: a host below the apps' host, or a user's own domain. */
export function domainOrigin(name: string, { appsUrl }: Pick<OwnHosts, 'appsUrl'>): string {
  const { protocol, port } = new URL(appsUrl());
  return `${protocol}//${name}${port && `:${port}`}`;
}
