import { removedSettings } from './removed-settings.ts';
import { settings, type Values } from './settings.ts';
import { type Config, shape } from './shape.ts';
import { problemOfTls } from './tls.ts';

export { type Config, memoryOfOneGit, ofEachPlan, type PlanLimits, type Tier } from './shape.ts';
export { localUrl, type Tls } from './tls.ts';

/** An error whose message is the one line that the operator sees. */
export class ConfigError extends Error {}

/** Variables that Kubernetes injects for a service named bottega. They are not our settings. */
const injectedByKubernetes = /^BOTTEGA_(SERVICE_|PORT(_|$))/;

/** Settings of clients, which may be started in the same terminal. */
const ofClients = new Set(['BOTTEGA_URL', 'BOTTEGA_TOKEN']);

/** The only reader of the environment. Turns its texts into one frozen, typed object. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  for (const name of Object.keys(environment)) {
    const removal = removedSettings.get(name);
    if (removal) throw new ConfigError(`${name} ${removal}.`);
    const isOthers = injectedByKubernetes.test(name) || ofClients.has(name);
    if (name.startsWith('BOTTEGA_') && !(name in settings) && !isOthers) {
      throw new ConfigError(`Unknown setting ${name}; docs/settings.md lists all settings.`);
    }
  }
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const written = environment[name];
      // Many tools write an empty value for "not set".
      const text = written === undefined || written === '' ? setting.default : written;
      try {
        return [name, text === null ? null : setting.parse(text)];
      } catch (error) {
        throw new ConfigError(`Bad setting ${name}: it ${(error as Error).message}.`);
      }
    }),
  );
  mustSayItsAddress(values as unknown as Values);
  const problem = problemOfTls(values as unknown as Values) ?? problemOfDatabase(values as unknown as Values);
  if (problem !== null) throw new ConfigError(problem);
  return Object.freeze(shape(values as unknown as Values, environment.PATH || '/usr/local/bin:/usr/bin:/bin'));
}

/**
 * Some features are open while the service can be reached only from this machine: sign-up, metrics, webhooks to
 * loopback. The public address decides whether they are open. So it must be set if other machines can connect, and is
 * never guessed.
 */
function mustSayItsAddress({ BOTTEGA_HOST: host, BOTTEGA_PUBLIC_URL: url }: Values): void {
  if (url !== null || /^(localhost|127(\.\d+){3}|::1)$/i.test(host)) return;
  throw new ConfigError(
    `BOTTEGA_HOST is ${host}, so other machines can connect: set BOTTEGA_PUBLIC_URL to the address that they use.`,
  );
}

/** Reports database settings without `DATABASE_URL`. The service would ignore them and use the embedded database. */
function problemOfDatabase({ DATABASE_URL: url, DATABASE_SESSION_URL: sessions, DATABASE_READ_URL: reads }: Values) {
  if (url !== null) return null;
  if (sessions !== null) return 'DATABASE_SESSION_URL requires DATABASE_URL, the address of the pooler in front of it.';
  return reads === null ? null : 'DATABASE_READ_URL requires DATABASE_URL, the address of the primary.';
}
