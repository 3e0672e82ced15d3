import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { beforeAll, expect } from 'vitest';
import { openEmbeddedDatabase } from '../foundation/db/embedded/index.ts';
import { type Running, useCli } from '../testing/clients/cli.ts';
import { type Answer, call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';

const alone = { connection: 'close' };

/** A service of two processes for requests and one for jobs. Its tests build on each other in order. */
export function useSeveralProcesses() {
  const cli = useCli();
  const several = {
    cli,
    alone,
    settings: {} as Record<string, string>,
    dataDir: '',
    running: {} as Running,
    /** The key of the first credentials. */
    key: '',
    projectId: '',
    async start(): Promise<void> {
      several.running = await cli.start(several.settings);
    },
    async startForTheFirstTime(): Promise<void> {
      await several.start();
      several.key = /btg_live_\w+/.exec(several.running.stdout())?.[0] ?? '';
      several.projectId = (await several.ask('POST', '/v1/projects', { name: 'Shared' })).body.id as string;
    },
    ask: (method: string, path: string, json?: unknown): Promise<Answer> =>
      call(method, `${several.running.url}${path}`, {
        token: several.key,
        headers: alone,
        ...(json !== undefined && { json }),
      }),
    async deployed(projectId: string, environment: string): Promise<Answer['body']> {
      const { status, body } = await several.ask('POST', `/v1/projects/${projectId}/deployments`, { environment });
      expect(status).toBe(201);
      return waitFor('it is deployed', async () => {
        const now = (await several.ask('GET', `/v1/projects/${projectId}/deployments/${body.id}`)).body;
        return (now.status === 'success' || now.status === 'failed') && now;
      });
    },
    async children(role: 'api' | 'worker'): Promise<number[]> {
      const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'pid=,ppid=,args=']);
      return stdout
        .split('\n')
        .map((line) => /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line))
        .filter(
          (line) => Number(line?.[2]) === several.running.pid && line?.[3]?.endsWith(`start --role ${role} --child`),
        )
        .map((line) => Number(line?.[1]));
    },
    readRows: (statement: string) => readRows(several.dataDir, statement),
    bothAnswer: (since = "now() - interval '5 seconds'") =>
      waitFor(
        'both processes answer',
        async () => (await several.readRows(`select from live_nodes where beat_at > ${since}`)).length >= 2,
      ),
  };
  beforeAll(async () => {
    several.dataDir = await cli.newDataDir();
    several.settings = {
      BOTTEGA_DATA_DIR: several.dataDir,
      BOTTEGA_PROCESSES: '2',
      ...buildSettings,
    };
  });
  return several;
}

async function readRows(dataDir: string, statement: string): Promise<Record<string, unknown>[]> {
  const quiet = { info() {}, warn() {} };
  const { connection } = await openEmbeddedDatabase({ dataDir, holder: 'command', description: 'a test', log: quiet });
  const client = new pg.Client(connection);
  await client.connect();
  return (await client.query(statement)).rows.concat(await client.end().then(() => []));
}
