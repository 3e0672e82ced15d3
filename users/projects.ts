import type { Bottega, CreateDeployment, Deployment } from '@bottega/sdk';
import { expect } from 'vitest';

/** A project with these files in its first commit. */
export async function projectWith(client: Bottega, files: Record<string, string>, name = 'Story'): Promise<string> {
  const { id } = await client.projects.create({ name });
  await commit(client, id, files);
  return id;
}

export async function commit(client: Bottega, projectId: string, files: Record<string, string>): Promise<void> {
  const present = new Set<string>();
  for await (const file of client.files.list(projectId, { recursive: true })) present.add(file.path);
  const changes = Object.entries(files).map(([path, content]) => ({
    action: present.has(path) ? ('update' as const) : ('create' as const),
    path,
    content,
  }));
  await client.commits.create(projectId, { message: 'Write', changes });
}

/** Builds it and waits until it has succeeded. */
export async function deployed(client: Bottega, projectId: string, input: CreateDeployment = {}): Promise<Deployment> {
  const done = await client.deployments.waitFor(await client.deployments.create(projectId, input));
  expect(done, JSON.stringify(done.error)).toMatchObject({ status: 'success' });
  return done;
}

/** The smallest server app: it answers with the value of `answer`. */
export const serverApp = (answer: string): Record<string, string> => ({
  '/bottega.json': JSON.stringify({ start: 'node server.js' }),
  '/server.js': `require('http').createServer((request, response) => {
  if (request.url === '/exit') process.exit(1);
  response.end(String(${answer}));
}).listen(process.env.PORT);
`,
});
