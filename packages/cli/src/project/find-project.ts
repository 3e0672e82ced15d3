import type { Bottega } from '@bottega/sdk';
import type { Connection, Context } from '../context.ts';
import { Failure } from '../terminal/failure.ts';
import { gather } from './gather.ts';

/** The id of the project: the one that the user specified, or otherwise that of this folder. */
export async function projectOf(context: Context, connection: Connection, argument?: string): Promise<string> {
  const named = argument ?? context.options.project;
  if (named !== undefined) return idOf(connection.client, named);
  if (connection.linkedProject !== undefined) return connection.linkedProject;
  throw new Failure(
    'usage',
    'No project is selected.',
    'Use --project, or link this folder to a project with `btg link`.',
  );
}

/** A project is specified by its id, or by its name if no other project has the same name. */
async function idOf(client: Bottega, named: string): Promise<string> {
  if (named.startsWith('prj_')) return named;
  const all = await gather(client.projects.list({ search: named, limit: 100 }));
  const ids = all.filter(({ name }) => name === named).map(({ id }) => id);
  const [id] = ids;
  if (id === undefined) throw new Failure('notFound', `No project is named ${named}.`, 'Run `btg projects ls`.');
  if (ids.length > 1) throw new Failure('usage', `Several projects have this name: ${ids.join(', ')}.`);
  return id;
}
