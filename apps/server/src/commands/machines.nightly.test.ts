import { describe, expect, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { describeAsRoot } from '../testing/parts/programs.ts';
import { createTestDatabase } from '../testing/parts/test-database.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { urlOf } from './database-url.fixture.ts';

/** A separate machine as far as files are concerned: only the service sees what the script mounts. */
const inMachine = (script: string) => ['unshare', '--mount', 'sh', '-ec', `${script}; exec "$@"`, 'sh'];

const programs = ['bwrap', 'slirp4netns', 'podman', 'docker', 'git'];
const hidePrograms = `for path in ${programs.flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`]).join(' ')};
  do if [ -e "$path" ]; then mount --bind /dev/null "$path"; fi; done`;

/** The capabilities that root has in a container. */
const ordinary = '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setpcap,+setuid';

type Line = { level: string; source?: string; msg: string };
const warnings = (log: string): Line[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line))
    .filter(({ level, source }) => level === 'warn' && source !== 'event loop');

describeAsRoot('on a machine', () => {
  describe('without git or a sandbox, and with a data directory of 200 characters', () => {
    const cli = useCli({ within: inMachine(hidePrograms) });

    test('the service starts, reports each missing part in one line, and explains it in its answers', async () => {
      const dataDir = `${await cli.newDataDir()}/${'long/'.repeat(40)}`;
      const service = await cli.start({ BOTTEGA_DATA_DIR: dataDir });
      const missing = () => warnings(service.stdout());
      await waitFor('it has said what is missing', () => missing().length >= 2);
      expect(missing()).toEqual([
        expect.objectContaining({ source: 'builds', msg: expect.stringContaining('bwrap) is not installed') }),
        expect.objectContaining({ source: 'git', msg: expect.stringContaining('Git is not installed') }),
      ]);
      const { body: ready } = await call('GET', `${service.url}/readyz`);
      expect(ready).toMatchObject({
        status: 'ready',
        details: {
          git: { version: null, problem: expect.stringContaining('Git is not installed') },
          builds: { driver: 'none', problem: expect.stringContaining('bwrap) is not installed') },
          disk: { problem: null },
          clock: { problem: null },
        },
      });
      const [, token = ''] = /API key\s+(\S+)/.exec(service.stdout()) ?? [];
      const api = `${service.url}/v1/projects`;
      const project = await call<{ id: string }>('POST', api, { token, json: { name: 'Here' } });
      const archive = await call('GET', `${api}/${project.body.id}/archive`, { token });
      expect(archive.status).toBe(503);
      expect(archive.body).toMatchObject({
        error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('Git is not installed') },
      });
      service.signal('SIGTERM');
      expect((await service.ended).code).toBe(0);
    });
  });

  describe.each([
    [
      'with a root and a home that cannot be written to',
      'mount -o remount,bind,ro /',
      'BOTTEGA_BUILD_DIR must be a writable directory',
    ],
    [
      'inside a container without privileges, behind all others of the machine',
      // A process whose root is not that of its mounts cannot create user namespaces, as under a container's profile.
      `chmod 755 "$(dirname "$BOTTEGA_DATA_DIR")"; mount --rbind / /mnt
      exec nice -n 15 chroot /mnt setpriv --no-new-privs --inh-caps -all --bounding-set ${ordinary} "$@"`,
      'bwrap: No permissions to create new namespace',
    ],
  ])('%s', (_where, script, expected) => {
    const cli = useCli({ within: inMachine(script) });

    test('the service runs, and says in one line what is missing and what that means', async () => {
      const service = await cli.start({ BOTTEGA_DATA_DIR: await cli.newDataDir() });
      await waitFor('it has said what is missing', () => warnings(service.stdout()).length > 0);
      const problem = expect.stringMatching(/^Only projects without a build command can be deployed here: [^\n]+$/);
      expect(warnings(service.stdout())).toEqual([expect.objectContaining({ source: 'builds', msg: problem })]);
      expect(warnings(service.stdout())[0]?.msg).toContain(expected);
      const { body: ready } = await call('GET', `${service.url}/readyz`);
      expect(ready).toMatchObject({ status: 'ready', details: { builds: { driver: 'none', problem } } });
      service.signal('SIGTERM');
      expect((await service.ended).code).toBe(0);
    });
  });

  describe.each([
    ['that cannot be written to', '-o ro', /^bottega: .*cannot be stored in .*: .*read-only.*\n$/i],
    ['on a disk that is full', '-o size=8m', /^bottega: .*could not be created: .*No space left on device.*\n$/],
  ])('with a data directory %s', (_where, options, expected) => {
    const cli = useCli({ within: inMachine(`mount -t tmpfs ${options} tmpfs "$(dirname "$BOTTEGA_DATA_DIR")"`) });

    test('the service does not start and says why in one line', async () => {
      const outcome = await cli.run(['start'], { BOTTEGA_DATA_DIR: await cli.newDataDir() });
      expect(outcome).toEqual({ code: 1, signal: null, stdout: '', stderr: expect.stringMatching(expected) });
    });
  });

  const usedBefore = 'mkdir -p "$BOTTEGA_DATA_DIR/postgres"; mount --bind "$BOTTEGA_DATA_DIR" "$BOTTEGA_DATA_DIR"';
  const readOnly = 'mount -o remount,bind,ro "$BOTTEGA_DATA_DIR"';

  describe('with a data directory that was used before and is read-only', () => {
    const cli = useCli({ within: inMachine(`${usedBefore}; ${readOnly}`) });

    test('the service reports the read-only file system, and nothing else', async () => {
      const outcome = await cli.run(['start'], { BOTTEGA_DATA_DIR: await cli.newDataDir() });
      const reason =
        /^bottega: The embedded database cannot be stored in \S+: the file system is read-only\. [^\n]+\n$/;
      expect(outcome).toEqual({ code: 1, signal: null, stdout: '', stderr: expect.stringMatching(reason) });
    });

    test('several processes on an external database report only once that the secret key cannot be stored', async () => {
      const database = await createTestDatabase();
      const settings = { DATABASE_URL: urlOf(database.connection), BOTTEGA_PROCESSES: '2' };
      const outcome = await cli.run(['start'], { ...settings, BOTTEGA_DATA_DIR: await cli.newDataDir() });
      await database.drop();
      const reason = /^bottega: The secret key cannot be stored in \S+ \([^\n]*read-only[^\n]*BOTTEGA_SECRET_KEY\.\n$/;
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
    });
  });
});
