import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { pageBrowser } from '../testing/clients/page-browser.ts';
import { registerApp } from '../testing/samples/oauth-tokens.ts';
import { newPlace } from '../testing/samples/sample-files.ts';
import { startNodeProcess } from '../testing/service/node-process.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { agentByDiscovery, agentWith, dataOf, eras, redirectUri } from './agent.fixture.ts';

const service = useTestService({ role: 'api' });

describe.each(eras)('an agent with protocol version %s', (era, mode) => {
  test('is answered by any node that its message reaches, even by one that was killed and restarted', async () => {
    const { user, projectId: project_id } = await newPlace(service);
    const app = { name: 'Agent', type: 'public' as const, redirect_uris: [redirectUri] };
    const { client_id: clientId } = await registerApp(service, user, app);
    const login = { browser: pageBrowser(service.url), user, clientId };
    const known = await agentByDiscovery(`${service.url}/mcp?access=write`, login, mode);
    const token = known.tokens()?.access_token ?? '';

    const start = () => startNodeProcess(service, { role: 'api', settings: { BOTTEGA_PUBLIC_URL: service.url } });
    let other = await start();
    let messages = 0;
    const inTurn: typeof fetch = (input, init) => {
      const url = new URL(String(input));
      const { host } = new URL(messages++ % 2 === 0 ? service.url : other.url);
      url.host = host;
      return fetch(url, init);
    };
    const agent = await agentWith(`${service.url}/mcp`, token, mode, inTurn as never);
    for (let n = 0; n < 6; n++) {
      const written = await agent.call('write_file', { project_id, path: `/${era}/${n}.txt`, content: String(n) });
      expect(written.isError, written.text).toBe(false);
    }
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
    other = await start();
    for (let n = 0; n < 6; n++) {
      expect(dataOf(await agent.call('read_file', { project_id, path: `/${era}/${n}.txt` }))).toBe(String(n));
    }
    expect(messages).toBeGreaterThan(12);
    await agent.close();
    other.child.kill('SIGTERM');
    await once(other.child, 'exit');
  });
});
