import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useDirectory } from '../../repository/smart-http/git-client.fixture.ts';
import { testPassword } from '../clients/browser.ts';
import { useReceiver } from '../clients/webhook-receiver.ts';
import { allBlocksOf, blocksOf, follow } from '../parts/documented-page.ts';
import { describeWith } from '../parts/programs.ts';
import { getCode } from '../samples/oauth-flow.ts';
import { buildSettings, projectOf } from '../samples/sample-deployments.ts';
import type { Place } from '../samples/sample-files.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const packageFiles = {
  '/package.json': JSON.stringify({ name: 'site', version: '1.0.0', scripts: { build: 'cp -r pages dist' } }),
  '/package-lock.json': JSON.stringify({ name: 'site', version: '1.0.0', lockfileVersion: 3, packages: {} }),
  '/bottega.json': JSON.stringify({ output: 'dist' }),
  '/pages/index.html': '<h1>Built</h1>',
};

describeWith(['git', 'curl', 'jq', 'bash', 'npm'], 'the commands of the guide run as printed', () => {
  const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
  const receiver = useReceiver();
  const root = useDirectory('guide');

  type Stage = { place: Place & { user: TestUser }; other: TestUser; cwd: string };
  type Filling = { variables?: Record<string, string>; names?: Record<string, string> };

  async function stageOf(page: string, files: Record<string, string> = {}): Promise<Stage> {
    const owner = await service.createUser({ name: 'Ada', isAdmin: true });
    const place = await projectOf(service, { '/README.md': '# Shop\n', ...files }, owner);
    const cwd = join(root, page.replaceAll('/', '-'));
    mkdirSync(cwd);
    return { place, other: await service.createUser(), cwd };
  }

  const run = ({ place, cwd }: Stage, blocks: readonly string[], { variables = {}, names = {} }: Filling = {}) => {
    const { url } = service;
    return follow(blocks, {
      cwd,
      url,
      names,
      variables: { KEY: place.user.key, PROJECT: place.projectId, ...variables },
    });
  };

  /** What a page needs beside a service, an account and a project, and what its commands print. */
  const pages: Record<string, { files?: Record<string, string>; filling?(stage: Stage): Filling; prints: string[] }> = {
    'README.md': {
      filling: ({ place }) => ({ names: { 'btg_live_…': place.user.key } }),
      prints: ['"description":"My first project"', '/index.html', "Cloning into 'hello'"],
    },
    'docs/accounts.md': {
      filling: ({ place, other }) => ({
        names: { 'admin@bottega.localhost': place.user.email },
        variables: { PASSWORD: testPassword, ACCOUNT: other.id },
      }),
      prints: ['"name":"By cookie"', 'otpauth_url', '/README.md', '/reset-password#token='],
    },
    'docs/branches.md': { prints: ['"name":"feature"', '"path":"/hello.txt"', '/README.md'] },
    'docs/collaborators.md': {
      filling: ({ other }) => ({ names: { 'ada@example.com': other.email } }),
      prints: ['"role":"editor"', '"status":"pending"'],
    },
    'docs/deployments.md': { files: packageFiles, prints: ['<h1>Built</h1>', '"name":"DATABASE_URL"'] },
    'docs/domains.md': { prints: ['"domain":"www.example.com"', '"redirect_to":"www.example.com"'] },
    'docs/events.md': { prints: ['/README.md'] },
    'docs/files.md': { prints: ['refs/checks/'] },
    'docs/live.md': { prints: ['"pagination"'] },
    'docs/mcp.md': { prints: ['"name":"Agent"', '"name":"Claude Code"'] },
    'docs/notifications.md': { prints: ['"unread":0'] },
    'docs/observability/README.md': { prints: ['bottega_ready 1', 'bottega_jobs{'] },
    'docs/templates.md': { prints: ['"id":"node-api"', '"name":"Notes"', '"name":"Our service"'] },
    'docs/webhooks.md': {
      filling: () => ({ names: { 'https://hooks.example.com/bottega': receiver.at('/guide').url } }),
      prints: ['"status":"success"'],
    },
  };

  test.each(Object.entries(pages))('%s', async (page, { files, filling, prints }) => {
    const stage = await stageOf(page, files);
    const output = await run(stage, blocksOf(page), filling?.(stage));
    for (const text of prints) expect(output).toContain(text);
  });

  test('docs/oauth.md, where a person consents in between', async () => {
    const stage = await stageOf('docs/oauth.md');
    const [register = '', ...rest] = blocksOf('docs/oauth.md');
    await run(stage, [register]);
    const app = JSON.parse(readFileSync(join(stage.cwd, 'app.json'), 'utf8'));
    const code = await getCode(service, app, stage.place.user, {
      ...{ redirect_uri: app.redirect_uris[0], scope: 'read:projects write:files' },
    });
    const variables = { APP: app.client_id, SECRET: app.client_secret, CODE: code };
    const output = await run(stage, rest, { variables });
    expect(output).toContain('"active":true');
    expect(output).toContain('Cloning into');
    expect(readFileSync(join(stage.cwd, 'device.json'), 'utf8')).toContain('user_code');
  });

  test('the program in docs/webhooks.md accepts signatures of the service and refuses others', async () => {
    const program = `${allBlocksOf('docs/webhooks.md', 'js')[0]}\nexport { isOurs };`;
    const { isOurs } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
    const signature = `sha256=${createHmac('sha256', 'whsec').update('{}').digest('hex')}`;
    expect([
      isOurs('{}', signature, 'whsec'),
      isOurs('{}', signature, 'other'),
      isOurs('{}', undefined, 'whsec'),
    ]).toEqual([true, false, false]);
  });
});
