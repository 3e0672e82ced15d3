import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { useCli } from '../testing/clients/cli.ts';
import { call } from '../testing/clients/http-client.ts';
import { childEnvironment } from '../testing/parts/child-environment.ts';
import { blocksOf, follow } from '../testing/parts/documented-page.ts';
import { describeWith } from '../testing/parts/programs.ts';

/** `npx bottega` of an installation. A service that was started is stopped as soon as it runs. */
const npx = (program: string) => `#!/bin/sh
shift
case " $* " in
*" start "*) ;;
*) exec '${process.execPath}' '${program}' "$@" ;;
esac
# The log of a former start also says that it is running.
rm -f started.log
'${process.execPath}' '${program}' "$@" > started.log 2>&1 &
until grep -qs 'Bottega is running' started.log; do
  kill -0 $! || { cat started.log; exit 1; }
  sleep 0.1
done
cat started.log
kill -TERM $!
wait $!
`;

describeWith(['openssl', 'bash'], "the operator's commands of the guide run as printed", () => {
  const cli = useCli();

  async function run(blocks: readonly string[], data: string, names: Record<string, string> = {}): Promise<string> {
    const cwd = dirname(data);
    mkdirSync(join(cwd, 'bin'));
    writeFileSync(join(cwd, 'bin/npx'), npx(join(inject('bundle'), 'main.js')), { mode: 0o755 });
    writeFileSync(join(cwd, 'passphrase.txt'), 'a long walk by the river\n');
    const variables = {
      ...childEnvironment(),
      ...{ PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, BOTTEGA_DATA_DIR: data },
      ...{ BOTTEGA_HOST: '127.0.0.1', PORT: '0' },
    };
    return follow(blocks, { cwd, variables, names: { ...names, 'PORT=3443': 'PORT=0', 'PORT=3080': 'PORT=0' } });
  }

  test('in docs/security.md', async () => {
    const output = await run(['npx bottega start', ...blocksOf('docs/security.md')], await cli.newDataDir());
    expect(output).toMatch(/secret/i);
  });

  test('in docs/operating.md', async () => {
    // Without a mail server, a part is missing, which doctor reports by its exit code.
    const names = { 'npx bottega doctor': 'npx bottega doctor || test $? = 1' };
    const output = await run(blocksOf('docs/operating.md'), await cli.newDataDir(), names);
    expect(output).toContain('Bottega works on this machine');
  });

  test('in docs/tls.md', async () => {
    const output = await run(blocksOf('docs/tls.md'), await cli.newDataDir());
    expect(output).toContain('TLS: your own certificate for localhost');
  });

  test('in docs/backup.md, while the service runs', async () => {
    const data = await cli.newDataDir();
    const settings = { BOTTEGA_DATA_DIR: data };
    const service = await cli.start(settings);
    const create = async (...args: string[]) => (await cli.run(['admin', ...args, '--json'], settings)).stdout;
    for (const name of ['ada', 'bob']) await create('user', 'create', '--email', `${name}@example.com`, '--name', name);
    const { key: token } = JSON.parse(await create('key', 'create', '--user', 'ada@example.com'));
    const url = `${service.url}/v1/projects`;
    const { id } = (await call<{ id: string }>('POST', url, { token, json: { name: 'Site' } })).body;
    await call('PUT', `${url}/${id}/files`, { token, json: { path: '/a.md', content: 'kept\n' } });
    const [there, backups] = [join(dirname(data), 'srv'), join(dirname(data), 'backups')];
    mkdirSync(backups);
    const output = await run(blocksOf('docs/backup.md'), data, {
      ...{ '/srv/bottega': there, '/backups/': `${backups}/`, '/mnt/backups': backups },
      ...{ prj_01m7hp9az6ecvbpnytmyg14mbk: id },
      // Two services cannot have one directory.
      'BOTTEGA_BACKUP_SCHEDULE=': `BOTTEGA_DATA_DIR=${there} BOTTEGA_BACKUP_SCHEDULE=`,
    });
    expect(output).toContain('The backup is complete');
    expect(output).toContain('You can now start Bottega.');
    expect(output).toContain('Restored Site as prj_');
    service.signal('SIGTERM');
    await service.ended;
  });
});
