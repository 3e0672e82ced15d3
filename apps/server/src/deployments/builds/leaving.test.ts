import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { buildSettings, deployed, logsOf, projectOf, textOf, visit } from '../../testing/samples/sample-deployments.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { processesMarked } from '../sandbox/process-tree.ts';

const secret = 'the key of the service';
/** A directory of the host that looks like a site. */
const outside = mkdtempSync('/var/tmp/bottega-outside-');
mkdirSync(join(outside, 'keys'));
for (const name of ['index.html', 'keys/secret.txt']) writeFileSync(join(outside, name), secret);
afterAll(() => rmSync(outside, { recursive: true }));

const plain = { '/index.html': 'x' };

describeWith(['bwrap', 'prlimit', 'setpriv'], 'the output of a build', () => {
  const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_NETWORK: 'off' } });

  test.each(['dist', 'build', 'out', 'public'])(
    'is never a directory of the host, even if %s is a link to one',
    async (name) => {
      const place = await projectOf(service, plain);
      const done = await deployed(place, { build_command: `rm index.html; ln -s ${outside} ${name}` });
      expect(done).toMatchObject({ status: 'failed', error: { type: 'nothing_to_serve' } });
    },
  );

  test('is collected once no process of the build is alive, even if a process has left its group and its parents', async () => {
    const place = await projectOf(service, plain);
    const survivor = `(setsid setsid sh -c 'while :; do mv dist aside; ln -s ${outside} dist; rm dist; mv aside dist; date > dist/late.txt; done' >/dev/null 2>&1 &)`;
    const done = await deployed(place, {
      build_command: `mkdir dist; cp index.html dist; ${survivor}; sleep 0.1; rm dist/late.txt; until [ -f dist/index.html ] && [ ! -L dist ]; do :; done`,
      environment_variables: { MARK: 'of the survivor' },
    });
    expect(await processesMarked('MARK=of the survivor')).toEqual([]);
    if (done.status === 'success') expect((await visit(`${done.url}/`)).text).toBe('x');
    else expect(done.error?.type).toBe('nothing_to_serve');
  });

  test('contains every file under each of its names, and nothing that is not a file', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, {
      build_command: `mkdir -p dist/.hidden dist/.well-known dist/sub; cd dist; cp ../index.html .
        echo one > .hidden/first; ln .hidden/first second; ln second third; ln -s sub way; ln -s ../way/../third sub/fourth.css
        mkfifo pipe; echo bad > "$(printf 'bad\\377')"; echo well > .well-known/known; ln -s /workspace/dist/third absolute`,
    });
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'success' });
    for (const path of ['/second', '/third', '/sub/fourth.css', '/absolute']) {
      expect((await visit(`${done.url}${path}`)).text).toBe('one\n');
    }
    expect((await visit(`${done.url}/sub/fourth.css`)).headers['content-type']).toContain('text/css');
    expect((await visit(`${done.url}/.well-known/known`)).text).toBe('well\n');
    for (const path of ['/.hidden/first', '/pipe', '/way/fourth.css']) {
      expect((await visit(`${done.url}${path}`)).status).toBe(404);
    }
    expect(textOf(await logsOf(place, done.id))).toContain('Storing 6 files');
  });

  test('is the same artifact as before, in whatever order its files were written', async () => {
    const place = await projectOf(service, plain);
    const ofNames = (names: string) =>
      deployed(place, {
        build_command: `mkdir dist; cd dist; cp ../index.html .; for n in ${names}; do echo $n > $n; done`,
      });
    const both = [await ofNames('a b c d e'), await ofNames('e c a d b')].map(({ id }) => id);
    const { rows } = await service.pool.query('select distinct artifact_id from deployments where id = any($1)', [
      both,
    ]);
    expect(rows).toHaveLength(1);
  });

  test.each([
    [
      'directories without end',
      `node -e "for(let i=0;i<300;i++){fs.mkdirSync('d');process.chdir('d')}"`,
      'too_large',
      'nested more than 100 levels deep',
    ],
    [
      'paths without end',
      `node -e "for(let i=0;i<90;i++){fs.mkdirSync('d'.repeat(200));process.chdir('d'.repeat(200))}"`,
      'too_large',
      'longer than 2000 characters',
    ],
    ['too many bytes', 'truncate -s 600M hole', 'too_large', 'more than 536870912 bytes'],
  ])('is refused with its reason if it has %s', async (_what, command, type, reason) => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, { build_command: `mkdir dist; cd dist; cp ../index.html .; ${command}` });
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'failed', error: { type } });
    expect(done.error?.message).toContain(reason);
  });

  test('is collected even if the build has removed its permissions', async () => {
    const place = await projectOf(service, plain);
    const build_command =
      'mkdir -p dist/locked; cp index.html dist; echo in > dist/locked/in; chmod 0 dist/locked/in dist/locked';
    const done = await deployed(place, { build_command });
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'success' });
    expect((await visit(`${done.url}/locked/in`)).text).toBe('in\n');
  });

  test('is collected by a process that gets none of the variables of the build', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, {
      build_command: 'mkdir dist; cp index.html dist; echo no > dist/no.txt',
      environment_variables: { TAR_OPTIONS: '--exclude=*', ENV: '/workspace/x', OUTPUT: '/etc', OUTPUT_IS_NAMED: '1' },
    });
    expect((await visit(`${done.url}/no.txt`)).text).toBe('no\n');
  });
});
