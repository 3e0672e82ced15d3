import type { Deployment } from '@bottega/contract';
import { expect } from 'vitest';
import type { Running } from '../src/testing/clients/cli.ts';
import { call } from '../src/testing/clients/http-client.ts';
import { waitFor } from '../src/testing/parts/wait-for.ts';
import { visit } from '../src/testing/samples/sample-deployments.ts';

const html = { accept: 'text/html' };

type Started = Pick<Running, 'url' | 'stdout' | 'signal'> & { ended: Promise<{ code: number | null }> };

/** What somebody does with a new installation. */
export async function firstSession(
  service: Started,
  { build_command }: { build_command?: string } = {},
): Promise<void> {
  const page = await call('GET', `${service.url}/`, { headers: html });
  expect(page.text).toContain('<div id="root">');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1];
  expect((await call('GET', `${service.url}${script}`)).status).toBe(200);
  expect((await call('GET', `${service.url}/docs/`)).text).toContain('Bottega API');
  for (const name of ['bottega-cli.tgz', 'bottega-sdk.tgz']) {
    expect((await call('GET', `${service.url}/downloads/${name}`)).status, name).toBe(200);
  }

  const person = { email: 'first@example.com', name: 'First', password: 'a long walk by the river' };
  expect((await call('POST', `${service.url}/v1/auth/sign-up`, { json: person })).status).toBe(201);

  const token = /API key\s+(\S+)/.exec(service.stdout())?.[1] ?? '';
  const projects = `${service.url}/v1/projects`;
  const created = await call<{ id: string }>('POST', projects, { token, json: { name: 'Mine', template: 'empty' } });
  const project = `${projects}/${created.body.id}`;
  // npm would leave it out of the package, were it not kept by another name.
  expect((await call('GET', `${project}/files`, { token })).text).toContain('/.gitignore');
  const file = { path: '/index.html', content: 'Hello from the package' };
  expect((await call('PUT', `${project}/files`, { token, json: file })).status).toBe(201);

  const deployment = await call<Deployment>('POST', `${project}/deployments`, { token, json: { build_command } });
  const done = await waitFor('it is deployed', async () => {
    const { body } = await call<Deployment>('GET', `${project}/deployments/${deployment.body.id}`, { token });
    return !['pending', 'building'].includes(body.status) && body;
  });
  expect(done).toMatchObject({ status: 'success' });
  expect((await visit(`${done.url}/`)).text).toBe(file.content);

  service.signal('SIGTERM');
  expect((await service.ended).code).toBe(0);
}
