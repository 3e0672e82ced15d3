import { gather } from '../project/gather.ts';
import { Failure } from '../terminal/failure.ts';
import type { Project } from '../workspace/find-workspace.ts';

type Member = { id: string | null; name: string | null; email: string };

const isId = (named: string): boolean => named.startsWith('usr_');

/** The ids of members, who are specified by id, e-mail address or name. */
export async function membersNamed(project: Project, named: readonly string[]): Promise<string[]> {
  if (named.every(isId)) return [...named];
  const { client } = project.connection;
  const [{ owner }, collaborators] = await Promise.all([
    client.projects.get(project.projectId),
    gather(client.collaborators.list(project.projectId)),
  ]);
  const members: Member[] = [owner, ...collaborators.map(({ user }) => user)];
  return named.map((one) => (isId(one) ? one : idOf(members, one)));
}

/** Addresses are compared in lower case. A name counts only if one member has it. */
function idOf(members: readonly Member[], named: string): string {
  const found = members.filter(({ email, name }) => email === named.toLowerCase() || name === named);
  const ids = [...new Set(found.flatMap(({ id }) => id ?? []))];
  const [id] = ids;
  if (id === undefined) throw new Failure('notFound', `No member of the project is named ${named}.`);
  if (ids.length > 1) throw new Failure('usage', `Several members have this name: ${ids.join(', ')}.`);
  return id;
}
