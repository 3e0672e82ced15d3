import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { byNight } from '../../testing/runner/thoroughness.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  textOf,
  untilEnded,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, type Place } from '../../testing/samples/sample-files.ts';
import { addCollaborator, onProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
const limit = 200_000;
const short = useTestService({
  settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_DEPLOYMENT_LOG_LIMIT: String(limit) },
});
const plain = { '/index.html': 'x' };

type SentEvent = { id: string | null; event: string; data: Record<string, unknown> };

/** Reads as an EventSource does. Resolves when the server ends it, or once `until` is true. */
function follow(
  place: Place,
  id: string,
  headers: Record<string, string> = {},
  until?: (events: SentEvent[]) => boolean,
) {
  const url = `${place.service.url}/v1/projects/${place.projectId}/deployments/${id}/logs`;
  return new Promise<{ status: number; type: string; events: SentEvent[] }>((resolve, reject) => {
    const asked = get(url, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${place.user.key}`, ...headers },
    });
    asked.on('error', reject);
    asked.on('response', (answer) => {
      let text = '';
      const status = answer.statusCode ?? 0;
      const result = () => ({ status, type: answer.headers['content-type'] ?? '', events: parse(text) });
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (until?.(parse(text))) {
          resolve(result());
          asked.destroy();
        }
      });
      answer.on('end', () => resolve(result()));
      answer.on('error', () => undefined);
    });
  });
}

function parse(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) =>
      Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])),
    )
    .filter((fields) => fields.event !== undefined)
    .map(({ id = null, event = '', data = '' }) => ({ id, event, data: JSON.parse(data) }));
}

describe('the log as JSON', () => {
  test('is complete, in order, and can be read in pages', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deployed(place, { build_command: 'seq 100' });
    const all = await logsOf(place, id);
    expect(all.filter(({ stream }) => stream === 'stdout').map(({ message }) => Number(message))).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all[0]).toEqual({
      seq: 1,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'info',
      stream: 'system',
      source: 'build',
      message: expect.any(String),
    });
    expect(await logsOf(place, id, '?after=10&limit=5')).toEqual(all.slice(10, 15));
    expect(await logsOf(place, id, '?after=100000')).toEqual([]);
  });

  test('refuses invalid paging parameters', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deployed(place);
    for (const query of ['?limit=0', '?after=-1', '?limit=x']) {
      expectError(await inProject(place, 'GET', `/deployments/${id}/logs${query}`), {
        status: 400,
        code: 'VALIDATION_ERROR',
      });
    }
  });

  test('Platform API, Deployment logs: lines of the service and well-known words are shown unmasked', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deployed(place, {
      environment: 'release-candidate',
      build_command: 'echo "in $NODE_ENV on $HOST, $SECRET"',
      environment_variables: {
        NODE_ENV: 'production',
        HOST: 'localhost',
        SECRET: 's3cret-value',
        STAGE: 'release-candidate',
      },
    });
    const text = textOf(await logsOf(place, id));
    expect(text).toContain('for release-candidate');
    expect(text).toContain('in production on localhost, ***');
    expect(text).not.toContain('s3cret-value');
  });

  test('contains none of the values of variables, however they are printed', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deployed(place, {
      build_command:
        'echo "is $TOKEN."; printf s3cret-; sleep 0.3; echo value; echo "$TOKEN" >&2; echo $SHORT; exit 1; : $TOKEN s3cret-value',
      environment_variables: { TOKEN: 's3cret-value', SHORT: 'abc' },
    });
    const text = textOf(await logsOf(place, id));
    expect(text).toContain('is ***.\n***');
    expect(text).toContain('abc');
    const stored = await service.pool.query(
      'select from deployment_logs where deployment_id = $1 and message like $2',
      [id, '%s3cret-value%'],
    );
    expect(stored.rowCount).toBe(0);
  });

  test('keeps every line of a long output', async () => {
    const count = byNight(200_000, 20_000);
    const place = await projectOf(service, plain);
    const { id, status } = await deployed(place, { build_command: `seq ${count}` });
    expect(status).toBe('success');
    const lines = (await logsOf(place, id)).filter(({ stream }) => stream === 'stdout');
    expect(lines).toHaveLength(count);
    expect(lines.at(-1)?.message).toBe(String(count));
  });

  test('is visibly cut in the middle if it is too long', async () => {
    const place = await projectOf(short, plain);
    const { id } = await deployed(place, {
      build_command: 'seq 20000 | sed s/$/-and-some-more-words-to-fill-the-line/',
    });
    const logs = await logsOf(place, id);
    const bytes = logs.reduce((sum, { message }) => sum + message.length, 0);
    expect(bytes).toBeLessThan(limit * 1.2);
    expect(bytes).toBeGreaterThan(limit / 4);
    const cut = logs.findIndex(({ message }) => /^… \d+ lines were cut here/.test(message));
    expect(logs[cut]).toMatchObject({ level: 'warn', stream: 'system' });
    const before = logs[cut - 1]?.message ?? '';
    const after = logs[cut + 1]?.message ?? '';
    const gone = Number.parseInt(after, 10) - Number.parseInt(before, 10) - 1;
    expect(logs[cut]?.message).toContain(` ${gone} `);
    expect(logs.some(({ message }) => message.startsWith('20000-'))).toBe(true);
  });
});

describe('the log as server-sent events', () => {
  test('follows a build to its end', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deploy(place, { build_command: 'for i in 1 2 3; do echo line $i; sleep 0.2; done' });
    const { status, type, events } = await follow(place, id);
    expect([status, type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events.at(-1)).toEqual({ id: null, event: 'end', data: { status: 'success' } });
    const logs = events.filter(({ event }) => event === 'log');
    expect(logs.map(({ id: seq }) => Number(seq))).toEqual(logs.map((_, index) => index + 1));
    expect(logs.map(({ data }) => data)).toEqual(await logsOf(place, id));
  });

  test('resumes after the last received event', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deploy(place, { build_command: 'echo one; sleep 0.5; echo two' });
    const hasOne = (events: SentEvent[]) => events.some(({ data }) => data.message === 'one');
    const first = await follow(place, id, {}, hasOne);
    const seen = first.events.at(-1)?.id ?? '';
    await untilEnded(place, id);
    const rest = await follow(place, id, { 'last-event-id': seen });
    const all = [...first.events, ...rest.events].filter(({ event }) => event === 'log').map(({ data }) => data);
    expect(all).toEqual(await logsOf(place, id));
    expect(rest.events.at(-1)?.event).toBe('end');
  });

  test.each(['failed', 'canceled'] as const)('reports how the build ended: %s', async (outcome) => {
    const place = await projectOf(service, plain);
    const { id } = await deploy(place, { build_command: outcome === 'failed' ? 'false' : 'sleep 300' });
    const followed = follow(place, id);
    if (outcome === 'canceled') {
      await waitFor('it runs', async () => textOf(await logsOf(place, id)).includes('Running'));
      await inProject(place, 'POST', `/deployments/${id}/cancel`);
    }
    expect((await followed).events.at(-1)).toMatchObject({ event: 'end', data: { status: outcome } });
  });

  test('ends without an end event for users who may no longer read it, even if the project is public', async () => {
    const place = await projectOf(service, plain, undefined, { settings: { public: true } });
    const { projectId } = place;
    const reader = await service.createUser();
    const membership = await addCollaborator(service, projectId, reader);
    const { id } = await deploy(place, { build_command: 'echo begun; sleep 300' });
    await waitFor('it runs', async () => textOf(await logsOf(place, id)).includes('begun'));
    const { key, id: keyId } = await service.createKey(place.user.id);
    const begun = new Set<string>();
    const followedBy = (user: { key: string }) =>
      follow({ ...place, user }, id, {}, ({ length }) => length > 0 && begun.add(user.key) && false);
    const [byReader, byOldKey] = [followedBy(reader), followedBy({ key })];
    await waitFor('both follow it', async () => begun.size === 2);
    await onProject(service, place.user, `${projectId}/collaborators/${membership}`, ['DELETE']);
    await call('DELETE', `${service.url}/v1/user/api-keys/${keyId}`, { token: place.user.key });
    for (const { events } of [await byReader, await byOldKey]) {
      expect(events.some(({ event }) => event === 'end')).toBe(false);
    }
    await inProject(place, 'POST', `/deployments/${id}/cancel`);
  });

  test('refuses an invalid Last-Event-ID', async () => {
    const place = await projectOf(service, plain);
    const { id } = await deployed(place);
    const answer = await inProject(place, 'GET', `/deployments/${id}/logs`, {
      headers: { accept: 'text/event-stream', 'last-event-id': 'x' },
    });
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
  });
});
