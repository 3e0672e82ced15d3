import { expect, test } from 'vitest';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { newPerson } from '../people.ts';
import { commit } from '../projects.ts';
import { untilShows, visit } from '../visit.ts';

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

const edited =
  "import { createServer } from 'node:http';\ncreateServer((_, answer) => answer.end('edited')).listen(3000);\n";
/** What is changed while the development server of a template runs. */
const changes: Record<string, [path: string, content: string]> = {
  'static-site': ['/public/index.html', '<html>edited</html>\n'],
  'documentation-site': ['/docs/index.md', '# This page was edited\n'],
  'node-api': ['/src/server.js', edited],
  'websocket-demo': ['/src/server.js', edited],
};
/** It serves its files with a program of the machine, which the image of the service does not have. */
const needsPython = ['static-site'];

test.each(Object.entries(changes))(
  'the template %s runs in a workspace by itself, and an edit is seen in its preview',
  async (template, [path, content]) => {
    const { client } = await newPerson();
    const { id } = await client.projects.create({ name: `Run ${template}`, template });
    const { id: workspace } = await client.workspaces.create(id, {});
    const python = await client.workspaces.run(id, workspace, { command: 'command -v python3' });
    if (needsPython.includes(template) && python.exit_code !== 0) return;
    const { url, port } = await waitFor('its port', async () => {
      const { data } = await client.workspaces.ports(id, workspace);
      return data.find(({ listening }) => listening);
    });
    await client.workspaces.updatePort(id, workspace, String(port), { visibility: 'public' });
    await untilShows(url, shown[template] ?? '');
    await commit(client, id, { [path]: content });
    await untilShows(url, 'edited');
    await client.workspaces.delete(id, workspace);
  },
);

test('the template python-script runs in a workspace by itself: the program, and then its tests', async () => {
  const { client } = await newPerson();
  const { id } = await client.projects.create({ name: 'Run Python', template: 'python-script' });
  const { id: workspace } = await client.workspaces.create(id, {});
  const ran = await waitFor('its end', async () => {
    const { data } = await client.workspaces.commands(id, workspace);
    return data.find(({ status }) => status === 'exited');
  });
  const output = await client.workspaces.output(id, workspace, ran.id);
  const said = output.data.map(({ text }) => text).join('');
  // The sandbox shows programs of its machine. The image of the service has no Python.
  const hasPython = !said.includes('not found');
  expect([ran.exit_code, said]).toEqual(hasPython ? [0, expect.stringContaining('OK')] : [127, expect.any(String)]);
  await client.workspaces.delete(id, workspace);
});

test('the template typescript-library has tests that pass in a workspace, without any package', async () => {
  const { client } = await newPerson();
  const { id } = await client.projects.create({ name: 'Run TypeScript', template: 'typescript-library' });
  const { id: workspace } = await client.workspaces.create(id, {});
  const tested = await client.workspaces.run(id, workspace, { command: 'npm test' });
  expect(tested, JSON.stringify(tested)).toMatchObject({ exit_code: 0 });
  await client.workspaces.delete(id, workspace);
});
