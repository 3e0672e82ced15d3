import { expect, test } from 'vitest';
import { newPerson } from '../people.ts';
import { visit } from '../visit.ts';

/** What a visitor sees of each template that serves something. */
const shown: Record<string, string> = {
  'static-site': '<html',
  'documentation-site': '<html',
  'node-api': '{',
  'websocket-demo': '<html',
};
/** These are programs to run, and their deployment says so. */
const servesNothing = ['empty', 'python-script', 'typescript-library'];
/** Its packages come from a registry, which not every machine reaches from its sandbox. */
const needsRegistry = ['react-vite'];

test('every template of the service is in one of these lists', async () => {
  const { client } = await newPerson();
  const ids: string[] = [];
  for await (const template of client.templates.list()) if (template.author.name === 'Bottega') ids.push(template.id);
  expect(ids.sort()).toEqual([...Object.keys(shown), ...servesNothing, ...needsRegistry].sort());
});

test.each(Object.entries(shown))('the template %s is used, deployed and visited', async (template, text) => {
  const { client } = await newPerson();
  const project = await client.projects.create({ name: `From ${template}`, template });
  const done = await client.deployments.waitFor(await client.deployments.create(project.id, {}));
  expect(done, JSON.stringify(done.error)).toMatchObject({ status: 'success' });
  for (let times = 0; times < 6; times++) {
    const page = await visit(done.url ?? '');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining(text)]);
  }
});

test.each(servesNothing)(
  'the template %s is used, and a deployment says that it has nothing to serve',
  async (template) => {
    const { client } = await newPerson();
    const project = await client.projects.create({ name: `From ${template}`, template });
    const done = await client.deployments.waitFor(await client.deployments.create(project.id, {}));
    expect(done).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('serve') } });
  },
);
