import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type WorkspaceLanguage, workspaceLanguages } from '@bottega/contract';
import { singleFlight } from '../../foundation/concurrency/single-flight.ts';
import { findProgram } from '../../foundation/processes/find-program.ts';
import { knownLanguages, type Package } from './known-languages.ts';
import { LanguageError } from './language-error.ts';

/** The language servers on this machine. They are not part of the service: npm fetches one when it is first used. */
export type InstalledLanguages = {
  /** The directory that workspaces see. Null if language servers are turned off. */
  directory: string | null;
  /** Fetches the language's server unless this machine already has it. Rejects with a LanguageError. */
  prepare(language: WorkspaceLanguage): Promise<void>;
  /** For each language whose last attempt failed, the reason. */
  problems(): Partial<Record<WorkspaceLanguage, string>>;
};

const installMs = 180_000;
/** Time after which a failed attempt is repeated. */
const retryMs = 30_000;
export const turnedOff = 'The operator of this service has turned language servers off';

type Options = { directory: string | null; executablePath: string };

export function openInstalledLanguages({ directory, executablePath }: Options): InstalledLanguages {
  const failed = new Map<WorkspaceLanguage, { at: number; reason: string }>();

  const install = singleFlight(async (language: WorkspaceLanguage): Promise<void> => {
    const { package: wanted, directory: name } = knownLanguages[language];
    if (directory === null) throw new LanguageError(turnedOff);
    if (wanted === null)
      throw new LanguageError(`The language server for ${language} is not available for ${process.arch}`);
    const place = join(directory, name);
    if (await exists(place)) return void failed.delete(language);
    const before = failed.get(language);
    if (before && Date.now() - before.at < retryMs) throw new LanguageError(before.reason);
    try {
      await fetchPackage(wanted, place, executablePath);
      failed.delete(language);
    } catch (error) {
      const reason = `The language server of ${language} could not be fetched: ${(error as Error).message}`;
      failed.set(language, { at: Date.now(), reason });
      throw new LanguageError(reason, { cause: error });
    }
  });

  return {
    directory,
    prepare: (language) => install(language),
    problems: () => Object.fromEntries([...failed].map(([language, { reason }]) => [language, reason])),
  };
}

/** Stands in for the language servers of a workspace that has none. */
export const noLanguages = (reason: string): InstalledLanguages => ({
  directory: null,
  prepare: () => Promise.reject(new LanguageError(reason)),
  problems: () => ({}),
});

/** Fetches all servers. Resolves with the reason if one cannot be fetched. */
export async function fetchLanguageServers(options: Options): Promise<string | null> {
  const { prepare } = openInstalledLanguages(options);
  try {
    for (const language of workspaceLanguages) await prepare(language);
    return null;
  } catch (error) {
    if (error instanceof LanguageError) return error.message;
    throw error;
  }
}

/** The languages whose servers this machine does not have yet. */
export async function missingLanguages(directory: string): Promise<WorkspaceLanguage[]> {
  const found = await Promise.all(
    workspaceLanguages.map(async (one) =>
      (await exists(join(directory, knownLanguages[one].directory))) ? [] : [one],
    ),
  );
  return found.flat();
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Creates the directory, in which other users can read: workspaces run as other users. */
export async function openLanguagesDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
}

/**
 * Installs the package beside its place and then renames it: workspaces see the directory, and must never see half of a
 * package.
 */
async function fetchPackage(wanted: Package, place: string, executablePath: string): Promise<void> {
  const root = dirname(place);
  await openLanguagesDirectory(root);
  for (const name of await readdir(root)) if (isAbandoned(name)) await remove(join(root, name));
  const partial = join(root, `partial-${Date.now()}-${randomBytes(6).toString('hex')}`);
  await mkdir(partial, { mode: 0o755 });
  try {
    await writeFile(join(partial, 'package.json'), JSON.stringify(manifestOf(wanted)));
    await writeFile(join(partial, 'package-lock.json'), JSON.stringify(lockOf(wanted)));
    await runNpm(partial, executablePath);
    // Another process of this machine may have been faster.
    await rename(partial, place).catch(async (error: unknown) => {
      if (!(await exists(place))) throw error;
    });
  } finally {
    await remove(partial);
  }
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

const isAbandoned = (name: string): boolean =>
  name.startsWith('partial-') && Date.now() - Number(name.split('-')[1]) > 2 * installMs;

const manifestOf = ({ name, version }: Package) => ({
  name: 'language-server',
  private: true,
  dependencies: { [name]: version },
});

/** With the hash in the lock file, npm refuses any other content, whatever registry it comes from. */
const lockOf = (wanted: Package) => ({
  name: 'language-server',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': manifestOf(wanted),
    [`node_modules/${wanted.name}`]: {
      version: wanted.version,
      resolved: `https://registry.npmjs.org/${wanted.name}/-/${wanted.name.split('/').at(-1)}-${wanted.version}.tgz`,
      integrity: wanted.integrity,
    },
  },
});

/**
 * The environment variables that npm gets: those about the operator's network and registry. The service's own settings
 * are not among them.
 */
const passedOn = /^(HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(HTTPS?|NO|ALL)_PROXY|npm_config_.*)$/i;

async function runNpm(directory: string, executablePath: string): Promise<void> {
  const path = [executablePath, dirname(process.execPath)].join(delimiter);
  const npm = await findProgram('npm', path);
  if (npm === null) throw new Error('npm is not installed on the worker');
  // biome-ignore lint/style/noProcessEnv: npm uses the operator's proxy, registry and certificates.
  const own = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const child = spawn(
    npm,
    ['ci', ...options, '--fetch-retries=1', '--fetch-retry-mintimeout=1000', `--cache=${join(directory, '.npm')}`],
    {
      cwd: directory,
      env: { ...Object.fromEntries(own), PATH: path },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installMs,
      killSignal: 'SIGKILL',
    },
  );
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(0, 20_000);
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  await remove(join(directory, '.npm'));
  if (code !== 0) throw new Error(saidBy(words));
}

/** Patterns of the lines that explain a failure best, the best pattern first. */
const tellingLines = [/failed, reason:/, /checksum failed/, /^\d{3} /, /E[A-Z]{4,}/];

/** The line of npm's errors that says what is wrong. */
function saidBy(words: string): string {
  const lines = words.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  const telling = tellingLines.map((sign) => lines.find((line) => sign.test(line))).find((line) => line !== undefined);
  return (telling ?? lines.find((line) => line !== '') ?? 'npm did not finish in time').slice(0, 300);
}
