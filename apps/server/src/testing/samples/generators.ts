import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { isInstalled } from '../parts/installed.ts';

const run = promisify(execFile);

const versions = { python: '0.29.1', java: '7.25.0' };
/** Python packages: the generator, and what both clients import. */
const packages = ['urllib3', 'python-dateutil', 'pydantic', 'typing-extensions', 'lazy-imports'];

/** They are no dependencies: one is in Python, one in Java, and only nightly tests use them. Installed once. */
const folder = join(homedir(), '.cache', 'bottega-generators', `${versions.python}-${versions.java}`);
const bin = join(folder, 'venv', 'bin');
const jar = join(folder, `openapi-generator-cli-${versions.java}.jar`);
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };

type Generator = {
  name: string;
  /** Why it cannot be used here; null if it can. */
  missing: string | null;
  /** Writes a package named `client` into the folder. */
  generate(document: string, into: string): Promise<void>;
};

export async function clientGenerators(): Promise<Generator[]> {
  const clients = await whyMissing(['python3'], 'openapi-python-client', installPython);
  return [
    {
      name: 'openapi-python-client',
      missing: clients,
      async generate(document, into) {
        const args = ['generate', '--path', document, '--meta', 'none', '--output-path', join(into, 'client')];
        await run(join(bin, 'openapi-python-client'), args, { env, maxBuffer: 1 << 26 });
      },
    },
    {
      name: 'openapi-generator',
      missing: clients ?? (await whyMissing(['java', 'mvn'], 'openapi-generator', installJava)),
      async generate(document, into) {
        const args = ['-jar', jar, 'generate', '-g', 'python', '-i', document, '-o', into, '--package-name', 'client'];
        await run('java', args, { maxBuffer: 1 << 26 });
      },
    },
  ];
}

/** Runs Python with the packages that the clients import. */
export const runPython = (args: string[], cwd: string) =>
  run(join(bin, 'python'), args, { cwd, env, maxBuffer: 1 << 26 });

async function whyMissing(programs: string[], name: string, install: () => Promise<void>): Promise<string | null> {
  const missing = programs.filter((one) => !isInstalled(one));
  if (missing.length > 0) return `${missing.join(' and ')} must be installed`;
  mkdirSync(folder, { recursive: true });
  return install().then(
    () => null,
    () => `${name} cannot be installed`,
  );
}

async function installPython(): Promise<void> {
  if (existsSync(join(bin, 'openapi-python-client'))) return;
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  await run(join(bin, 'pip'), ['install', '--quiet', `openapi-python-client==${versions.python}`, ...packages]);
}

async function installJava(): Promise<void> {
  if (existsSync(jar)) return;
  const artifact = `org.openapitools:openapi-generator-cli:${versions.java}`;
  await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]);
}
