/** The hosts of the service's own addresses: what it answers for, and sends visitors on to. */
export type OwnHosts = { publicUrl(): string; appsUrl(): string };

export const hostOf = (url: string): string => new URL(url).hostname;

/** As clients may write a name, and as we compare it. */
export const plainName = (given: string): string => given.toLowerCase().replace(/\.$/, '');

/** One that apps are at: the shared one, or one below it. The service's own host is none, wherever it is. */
export function isAppsName(name: string, { publicUrl, appsUrl }: OwnHosts): boolean {
  const apps = hostOf(appsUrl());
  return name !== hostOf(publicUrl()) && (name === apps || name.endsWith(`.${apps}`));
}

/** The address at which a host of ours is reached; null for any other host. */
export function originOf(name: string, hosts: OwnHosts): string | null {
  if (name === hostOf(hosts.publicUrl())) return hosts.publicUrl();
  return isAppsName(name, hosts) ? domainOrigin(name, hosts) : null;
}

/** Of a host that what is deployed answers at: below that of all apps, or a domain of a user's own. */
export function domainOrigin(name: string, { appsUrl }: Pick<OwnHosts, 'appsUrl'>): string {
  const { protocol, port } = new URL(appsUrl());
  return `${protocol}//${name}${port && `:${port}`}`;
}
