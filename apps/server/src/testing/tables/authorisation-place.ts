import { type Permission, permissionsOfRole, type Role } from '@bottega/contract';
import { newId } from '../../foundation/ids.ts';
import { sampleChecks } from '../samples/sample-checks.ts';
import { ask } from '../samples/sample-collaborators.ts';
import { deploy } from '../samples/sample-deployments.ts';
import { writeFile } from '../samples/sample-files.ts';
import { sampleRequest, sampleRule } from '../samples/sample-merge-requests.ts';
import { addCollaborator, createProject } from '../samples/sample-projects.ts';
import { plantSnapshot, standIns, standInWorkspace } from '../samples/stand-in-agent.ts';
import type { TestService, TestUser } from '../service/test-service.ts';

/** The callers. All but the last have an account; the last three are not in the project. */
export const people = [
  'owner',
  'admin',
  'editor',
  'viewer',
  'viewer with write',
  'pending invitee',
  'stranger',
  'anonymous',
] as const;
export type Person = (typeof people)[number];
export type Cast = Record<Exclude<Person, 'anonymous'> | 'bystander', TestUser>;

/** Everyone with an account reads a public project; nobody changes an archived one. */
export const kinds = ['private', 'public', 'archived'] as const;
export type Kind = (typeof kinds)[number];

/** A project with one of everything, in which each person has their role. */
export type Place = {
  service: TestService;
  cast: Cast;
  kind: Kind;
  projectId: string;
  /** Fills the placeholders of a route's path, by their names. */
  parameters: Record<string, string>;
  /** The pending invitee's row. */
  invitationId: string;
};

const parts: [Exclude<keyof Cast, 'owner' | 'stranger'>, Role, Permission[]?][] = [
  ['admin', 'admin'],
  ['editor', 'editor'],
  ['viewer', 'viewer'],
  ['viewer with write', 'viewer', ['read', 'write', 'comment']],
  ['pending invitee', 'admin'],
  // Nobody's credential: the user whom requests are about.
  ['bystander', 'viewer'],
];

export async function createCast(service: TestService): Promise<Cast> {
  const names = ['owner', 'admin', 'editor', 'viewer', 'viewer with write', 'pending invitee', 'stranger', 'bystander'];
  const users = await Promise.all(names.map((name) => service.createUser({ name })));
  return Object.fromEntries(names.map((name, index) => [name, users[index]])) as Cast;
}

/** The project is active at first, so that it can be prepared. */
export async function createPlace(service: TestService, cast: Cast, kind: Kind): Promise<Place> {
  const repository = { url: 'http://repository.invalid/x.git' };
  const { id: projectId } = await createProject(service, cast.owner, {
    repository,
    settings: { public: kind === 'public' },
  });
  const rows: Partial<Record<keyof Cast, string>> = {};
  const [file] = await Promise.all([
    writeFile({ service, user: cast.owner, projectId }, '/a.txt', 'one\n'),
    ...parts.map(async ([name, role, permissions = [...permissionsOfRole[role]]]) => {
      const status = name === 'pending invitee' ? 'pending' : 'active';
      rows[name] = await addCollaborator(service, projectId, cast[name], { role, permissions, status });
    }),
  ]);
  await Promise.all(
    ['feature', 'two/three'].map((name) =>
      ask(service, cast.owner, ['POST', `/projects/${projectId}/branches`, { name }]),
    ),
  );
  const domain = 'www.example.org';
  await service.db
    .insertInto('domains')
    .values({ id: newId('dom'), project_id: projectId, domain })
    .execute();
  const remark = { file_path: '/a.txt', position: { line: 1, column: 1 }, content: 'Why?' };
  const comment = await ask<{ id: string }>(service, cast.owner, ['POST', `/projects/${projectId}/comments`, remark]);
  const deployment = await deploy({ service, user: cast.owner, projectId });
  const workspace = await standInWorkspace(service, { projectId, userId: cast.owner.id });
  return {
    service,
    cast,
    kind,
    projectId,
    invitationId: rows['pending invitee'] ?? '',
    parameters: {
      project_id: projectId,
      repository: `${projectId}.git`,
      file_id: file.id,
      comment_id: comment.body.id,
      sha: file.commit_sha ?? '',
      branch: 'feature',
      '*': 'two/three',
      collaborator_id: rows.bystander ?? '',
      deployment_id: deployment.id,
      domain,
      workspace_id: workspace,
      snapshot_id: await plantSnapshot(service, projectId),
      ...standIns,
      ...(await sampleRequest({ service, user: cast.owner, projectId })),
      ...(await sampleRule({ service, user: cast.owner, projectId })),
      ...(await sampleChecks({ service, projectId })),
      port: '3000',
    },
  };
}
