import { dictionary } from '../words/dictionary.ts';

export const domainsWords = dictionary('domains/domains', {
  title: ['Domains', 'Domains'],
  hint: [
    'Your live deployment is served at these domains.',
    'Unter diesen Domains ist dein Live-Deployment erreichbar.',
  ],
  none: ['No domains yet', 'Noch keine Domains'],
  noneHint: [
    'Add a domain that you own, then set the DNS records that are shown for it.',
    'Füge eine Domain hinzu, die dir gehört, und trage dann die angezeigten DNS-Einträge ein.',
  ],
  add: ['Add domain', 'Domain hinzufügen'],
  domain: ['Domain', 'Domain'],
  badName: [
    'Enter a name such as www.example.com, without https:// and without a port',
    'Gib einen Namen wie www.example.com ein, ohne https:// und ohne Port',
  ],
  ownName: ['This name belongs to the service itself', 'Dieser Name gehört zum Dienst selbst'],
  pending: ['Waiting for DNS', 'Wartet auf DNS'],
  verified: ['Verified', 'Bestätigt'],
  active: ['Active', 'Aktiv'],
  failed: ['Failed', 'Fehlgeschlagen'],
  proof_missing: [
    'There is no DNS record yet that proves that this domain belongs to this project.',
    'Noch belegt kein DNS-Eintrag, dass diese Domain zu diesem Projekt gehört.',
  ],
  lookup_failed: ['The name servers of the domain do not respond.', 'Die Nameserver der Domain antworten nicht.'],
  held_elsewhere: [
    'Another project has proved that it owns this domain.',
    'Ein anderes Projekt hat nachgewiesen, dass diese Domain zu ihm gehört.',
  ],
  not_leading_here: [
    'The domain is verified, but it does not point to this service yet.',
    'Die Domain ist bestätigt, verweist aber noch nicht auf diesen Dienst.',
  ],
  certificate_awaited: ['The certificate is being issued.', 'Das Zertifikat wird gerade ausgestellt.'],
  certificate_failed: [
    'There is no certificate for this domain yet.',
    'Für diese Domain gibt es noch kein Zertifikat.',
  ],
  certificate_limit: [
    'Too many new certificates were issued this week. The service will try again later.',
    'Diese Woche wurden zu viele neue Zertifikate ausgestellt. Der Dienst versucht es später erneut.',
  ],
  records: ['DNS records', 'DNS-Einträge'],
  either: ['Set this record', 'Trage diesen Eintrag ein'],
  or: ['If a CNAME is not possible, set these instead', 'Wenn kein CNAME möglich ist, trage stattdessen diese ein'],
  these: ['Set these records', 'Trage diese Einträge ein'],
  isSet: ['found', 'gefunden'],
  notSet: ['not found yet', 'noch nicht gefunden'],
  recordName: ['Name', 'Name'],
  value: ['Value', 'Wert'],
  ofRecord: [
    (what: string, type: string, domain: string) => `${what} of the ${type} record of ${domain}`,
    (what, type, domain) => `${what} des ${type}-Eintrags von ${domain}`,
  ],
  check: ['Check now', 'Jetzt prüfen'],
  checked: ['Checked', 'Geprüft'],
  redirect: ['Redirect to', 'Weiterleiten zu'],
  noRedirect: ['no redirect', 'keine Weiterleitung'],
  redirectOf: [(domain: string) => `Redirect ${domain} to`, (domain) => `${domain} weiterleiten zu`],
  removeTitle: [(domain: string) => `Remove ${domain}?`, (domain) => `${domain} entfernen?`],
  removeHint: [
    'The service stops serving the domain. The project and its other addresses do not change.',
    'Unter dieser Domain ist dann nichts mehr erreichbar. Das Projekt und seine anderen Adressen bleiben.',
  ],
  removed: [(domain: string) => `Removed ${domain}`, (domain) => `${domain} entfernt`],
});
