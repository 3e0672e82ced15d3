import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  readDeployment,
  textOf,
  visit,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { type TestService, type TestUser, useTestService } from '../../testing/service/test-service.ts';

const settings = { ...buildSettings, BOTTEGA_APP_START_TIMEOUT: '10', BOTTEGA_APP_IDLE: '10' };
const bottegaJson = JSON.stringify({ start: 'node server.js' });

/** Prints its name and the request, ends on request, and echoes upgraded connections. */
const serverOf = (name: string): string => `const http = require('http');
const server = http.createServer((request, response) => {
  if (request.url === '/exit') process.exit(1);
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => setTimeout(() => {
    response.setHeader('set-cookie', 'a=b; Domain=localhost; Path=/');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: '${name}', url: request.url, method: request.method, body, headers: request.headers, greeting: process.env.GREETING }));
  }, request.url === '/slow' ? 1500 : 0));
});
server.on('upgrade', (request, socket, head) => {
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nupgrade: echo\\r\\nconnection: Upgrade\\r\\n\\r\\n');
  socket.on('error', () => {});
  socket.pipe(socket);
});
server.listen(process.env.PORT, () => console.log('${name} listens, token ' + process.env.TOKEN));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
`;

/** Sends headers that an app must not send, in every kind of answer. */
const loudServer = `const http = require('http');
const headers = { 'x-own': '1', 'set-cookie': ['bottega_session=planted', '__Host-bottega_session=planted', 'mine=1'],
  'clear-site-data': '"*"', 'alt-svc': 'h3=":1"', 'strict-transport-security': 'max-age=1', 'service-worker-allowed': '/' };
const server = http.createServer((request, response) => response.writeHead(200, headers).end('page'));
server.on('upgrade', (request, socket) => {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => name + ': ' + one));
  if (request.headers.upgrade === 'refused') {
    const head = ['HTTP/1.1 426 Upgrade Required', ...lines, 'transfer-encoding: chunked', 'connection: close'];
    socket.end(head.join('\\r\\n') + '\\r\\n\\r\\n8\\r\\nnot here\\r\\n0\\r\\n\\r\\n');
  } else {
    const head = ['HTTP/1.1 101 Switching Protocols', ...lines, 'connection: Upgrade', 'upgrade: loud'];
    socket.end(head.join('\\r\\n') + '\\r\\n\\r\\nover the socket');
  }
});
server.listen(process.env.PORT);
`;

function readAll(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
    socket.write(bytes);
  });
}

const appOf = (service: TestService, name = 'one', more: Record<string, string> = {}) =>
  projectOf(service, { '/server.js': serverOf(name), '/bottega.json': bottegaJson, ...more });

type Said = {
  name: string;
  url: string;
  method: string;
  body: string;
  headers: Record<string, string>;
  greeting?: string;
};
const said = (text: string): Said => JSON.parse(text);
const liveUrl = async (place: Place & { user: { key: string } }) =>
  (await readProject(place.service, place.user, place.projectId)).live_url ?? '';

type App = { place: Place & { user: TestUser }; done: Deployment };

/** One app for all tests of a service, which depend on their order. */
function useApp(service: TestService): App {
  const app = {} as App;
  beforeAll(async () => {
    const place = await appOf(service);
    const done = await deployed(place, { environment_variables: { GREETING: 'Hello', TOKEN: 'secret-token' } });
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'success', is_live: true });
    Object.assign(app, { place, done });
  });
  return app;
}

const instancesOf = async (service: TestService, id: string): Promise<{ status: string }[]> =>
  (await service.pool.query('select status from app_instances where deployment_id = $1', [id])).rows;

/** Tests that apply to every driver. */
function testEveryDriver(service: TestService, app: App): void {
  test('is reached at its address, gets its variables, and has its output in the log', async () => {
    const { place, done } = app;
    const page = await visit(`${done.url}/path?x=1`, { cookie: 'mine=1' }, 'POST', 'the body');
    expect(said(page.text)).toMatchObject({
      name: 'one',
      url: '/path?x=1',
      method: 'POST',
      body: 'the body',
      greeting: 'Hello',
      headers: { cookie: 'mine=1', 'x-forwarded-proto': 'http', 'x-forwarded-host': new URL(done.url ?? '').host },
    });
    expect(page.headers['set-cookie']).toEqual(['a=b; Path=/']);
    expect(said((await visit(`${await liveUrl(place)}/`)).text).name).toBe('one');
    const log = await waitFor('its words are stored', async () => {
      const text = textOf(await logsOf(place, done.id));
      return text.includes('one listens') && text;
    });
    expect(log).toContain('one listens, token ***');
    const { rows } = await service.pool.query(
      `select data->'deployment_config' as config from events where type = 'deployment.completed' and project_id = $1`,
      [place.projectId],
    );
    expect(rows).toEqual([{ config: { strategy: 'rolling', instances: 1, health_check_url: `${done.url}/` } }]);
  });

  test('that is reached by path gets neither cookies nor credentials of the host, and cannot set cookies', async () => {
    const { done } = app;
    const { port } = new URL(done.url ?? '');
    const page = await visit(`http://localhost:${port}/d/${done.id}/x`, {
      ...{ cookie: 'of=the-host', authorization: 'Basic b2Y6dGhlLWhvc3Q=' },
    });
    expect(said(page.text)).toMatchObject({ url: '/x' });
    expect(said(page.text).headers.cookie).toBeUndefined();
    expect(said(page.text).headers.authorization).toBeUndefined();
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['content-security-policy']).toMatch(/^sandbox/);
  });

  test('is restarted after it ends by itself', async () => {
    const { done } = app;
    expect((await visit(`${done.url}/exit`)).status).toBe(502);
    await waitFor('it is up again', async () => (await visit(`${done.url}/`)).status === 200);
    expect(await instancesOf(service, done.id)).toEqual([{ status: 'healthy' }]);
    const { app: state } = await readDeployment(app.place, done.id);
    expect(state?.restarts, 'what ended it was asked once').toBe(1);
  });

  test('has a log that is followed while it runs, separate from its build log, and that reports a crash', async () => {
    const { place, done } = app;
    const stop = new AbortController();
    const answer = await fetch(
      `${service.url}/v1/projects/${place.projectId}/deployments/${done.id}/logs?source=runtime`,
      {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${place.user.key}` },
        signal: stop.signal,
      },
    );
    let text = '';
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await waitFor('what was said before is there', () => text.includes('one listens'));
    const crashes = () => text.split('The app exited with code 1').length;
    const before = crashes();
    await visit(`${done.url}/exit`);
    await waitFor('the crash is told', () => crashes() > before);
    stop.abort();
    await reading;
    expect(text).not.toContain('event: end');
    expect(text).not.toContain('Building commit');
    const built = await logsOf(place, done.id, '?source=build');
    expect(built.map(({ source }) => source)).toEqual(built.map(() => 'build'));
    expect(textOf(built)).toContain('Building commit');
    const running = await waitFor('it runs again', async () => {
      const { app: state } = await readDeployment(place, done.id);
      return state?.status === 'running' && state;
    });
    expect(running.restarts).toBeGreaterThan(0);
    expect(running.problem).toContain('exited with code 1');
    expect(running).toMatchObject({ problem_code: 'app_exited', problem_values: { code: '1' } });
  });
}

describe('a server app under the driver process', () => {
  const service = useTestService({ settings: { ...settings, BOTTEGA_BUILD_DRIVER: 'process' } });
  testEveryDriver(service, useApp(service));

  describe('that is not live', () => {
    test('sleeps when nobody visits it, and a visit wakes it', async () => {
      const place = await appOf(service);
      const done = await deployed(place, { environment: 'preview' });
      expect((await visit(`${done.url}/`)).status).toBe(200);
      await service.pool.query(`update deployments set wanted_until = now() where id = $1`, [done.id]);
      await waitFor('it sleeps', async () => (await instancesOf(service, done.id)).length === 0);
      await waitFor('a visit wakes it', async () => (await visit(`${done.url}/`)).status === 200);
    });

    test('is promoted only once it responds', async () => {
      const place = await appOf(service);
      const done = await deployed(place, { environment: 'preview' });
      await service.pool.query(`update deployments set wanted_until = now() - interval '1 hour' where id = $1`, [
        done.id,
      ]);
      const promoted = await inProject(place, 'POST', `/deployments/${done.id}/promote`);
      expect(promoted).toMatchObject({ status: 200, body: { is_live: true } });
      expect(said((await visit(`${await liveUrl(place)}/`)).text).name).toBe('one');
      const broken = await appOf(service, 'broken', { '/when': 'now' });
      const fine = await deployed(broken, { environment: 'preview' });
      await service.pool.query(
        `update artifacts set start_command = 'exit 3' where id = (select artifact_id from deployments where id = $1)`,
        [fine.id],
      );
      await service.pool.query(`update deployments set wanted_until = now() where id = $1`, [fine.id]);
      await waitFor('it sleeps', async () => (await instancesOf(service, fine.id)).length === 0);
      expectError(await inProject(broken, 'POST', `/deployments/${fine.id}/promote`), {
        status: 409,
        code: 'CONFLICT',
      });
    });
  });

  test('cannot speak for the host: not in its pages, nor in refused or accepted upgrades', async () => {
    const place = await appOf(service, 'loud', { '/server.js': loudServer });
    const done = await deployed(place);
    const { port, host } = new URL(done.url ?? '');
    const ask = (lines: string[]) => readAll(Number(port), `${lines.join('\r\n')}\r\n\r\n`);
    for (const [path, hostLine] of [
      [`/d/${done.id}`, `Host: localhost:${port}`],
      ['', `Host: ${host}`],
    ] as const) {
      const upgrade = (to: string) => ['Connection: Upgrade', `Upgrade: ${to}`];
      const answers = {
        page: await ask([`GET ${path}/ HTTP/1.1`, hostLine, 'Connection: close']),
        upgrade: await ask([`GET ${path}/ HTTP/1.1`, hostLine, ...upgrade('loud')]),
        refusal: await ask([`GET ${path}/ HTTP/1.1`, hostLine, ...upgrade('refused')]),
      };
      expect(answers.upgrade).toContain('101 Switching Protocols');
      expect(answers.upgrade).toContain('over the socket');
      expect(answers.refusal).toMatch(/^HTTP\/1.1 426 .*\r\n\r\nnot here$/s);
      for (const answer of Object.values(answers)) {
        const head = answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase();
        expect(head).toContain('x-own: 1');
        expect(head).not.toMatch(/bottega_session|clear-site-data|alt-svc/);
        if (path === '') expect(head).toContain('set-cookie: mine=1');
        else expect(head).not.toMatch(/set-cookie|strict-transport|service-worker/);
      }
    }
  });
});

describeWith(['bwrap', 'prlimit', 'setpriv'], 'a server app under the driver bubblewrap', () => {
  const service = useTestService({ settings: { ...settings, BOTTEGA_BUILD_DRIVER: 'bubblewrap' } });
  const app = useApp(service);
  testEveryDriver(service, app);

  test('passes upgrades through', async () => {
    const { host, port } = new URL(app.done.url ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk.toString();
    });
    socket.write(`GET /ws HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n`);
    await waitFor('it is upgraded', () => got.includes('101 Switching Protocols') && got.includes('\r\n\r\n'));
    socket.write('ping over the socket');
    await waitFor('it echoes', () => got.endsWith('ping over the socket'));
    socket.destroy();
  });

  test('is replaced without a single failed request', async () => {
    const { place } = app;
    const url = await liveUrl(place);
    const names: string[] = [];
    let failed = 0;
    let going = true;
    const visiting = (async () => {
      while (going) {
        const page = await visit(`${url}/`).catch(() => null);
        if (page?.status === 200) names.push(said(page.text).name);
        else failed += 1;
        await delay(5);
      }
    })();
    await writeFile(place, '/server.js', serverOf('two'));
    const second = await deployed(place);
    expect(second.status).toBe('success');
    await waitFor('the new one answers', () => names.at(-1) === 'two');
    going = false;
    await visiting;
    expect(failed).toBe(0);
    expect(names.indexOf('two')).toBe(names.lastIndexOf('one') + 1);
    app.done = second;
  });

  test('that ends before it responds fails its deployment, and the former deployment stays live', async () => {
    const { place, done: former } = app;
    await writeFile(place, '/server.js', 'console.error("no way"); process.exit(4)');
    const broken = await deployed(place);
    expect(broken).toMatchObject({ status: 'failed', error: { type: 'unhealthy' }, is_live: false });
    expect(broken.error?.message).toContain('exited with code 4');
    expect(broken.error).toMatchObject({ exit_code: 4, output: 'no way' });
    expect(textOf(await logsOf(place, broken.id))).toContain('no way');
    expect(said((await visit(`${await liveUrl(place)}/`)).text).name).toBe('two');
    expect((await inProject(place, 'GET', `/deployments/${former.id}`)).body).toMatchObject({ is_live: true });
  });

  test('that crashes reports the line of the crash', async () => {
    const { place } = app;
    await writeFile(place, '/server.js', '\n\nthrow new TypeError("no such thing");');
    expect((await deployed(place)).error).toMatchObject({
      type: 'unhealthy',
      exit_code: 1,
      output: 'TypeError: no such thing',
      source: { file: 'server.js', line: 3 },
    });
  });

  test('that is canceled while it starts is gone when the request to cancel is answered', async () => {
    const { place } = app;
    await writeFile(place, '/server.js', 'console.log("starting"); setInterval(() => {}, 1000)');
    const made = await deploy(place);
    const words = async () => (await logsOf(place, made.id)).map(({ message }) => message);
    await waitFor('it starts', async () => (await words()).includes('starting'));
    const answer = await inProject(place, 'POST', `/deployments/${made.id}/cancel`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } });
    expect(await instancesOf(service, made.id)).toEqual([]);
  });

  test('of a deleted project is ended', async () => {
    const { place, done } = app;
    await onProject(service, place.user, place.projectId, ['DELETE']);
    await waitFor('it is gone', async () => (await instancesOf(service, done.id)).length === 0);
  });
});

describe('a server app that never responds', () => {
  const brief = { ...settings, BOTTEGA_APP_START_TIMEOUT: '2', BOTTEGA_BUILD_DRIVER: 'process' };
  const service = useTestService({ settings: brief });

  test('is reported as not responding, with the last line that it printed', async () => {
    const silent = 'console.error("waiting for godot"); setInterval(() => {}, 1000)';
    const { error } = await deployed(await appOf(service, 'one', { '/server.js': silent }));
    expect(error).toMatchObject({ type: 'unhealthy', exit_code: null, output: 'waiting for godot' });
    expect(error?.message).toBe('The app did not respond on its PORT within 2 seconds');
  });
});
