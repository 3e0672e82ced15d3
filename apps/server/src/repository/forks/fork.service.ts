import type { ForkProject, Project } from '@bottega/contract';
import type { PlanLimits } from '../../foundation/config/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict, forbidden, type Principal } from '../../foundation/http/index.ts';
import { createEmptyProject, lockWritableProject, readableProject } from '../../projects/index.ts';
import { branchPrefix } from '../objects/ref-names.ts';
import { borrowObjects, type Receiving, takeReceived, withQuarantine } from '../quarantine/index.ts';
import { type CheckedPush, listAllRefs, maxFilesOf, storePush } from '../store/index.ts';
import { type Bringing, inOwnWords } from './commits-of.ts';

export type Forking = Bringing & Pick<Receiving, 'db' | 'quota' | 'publicUrl'>;

type Asked = {
  principal: Principal;
  projectId: string;
  input: ForkProject;
  limits: PlanLimits;
  cause: Cause;
  /** Runs the work in the transaction that makes the fork. */
  make(work: (trx: Trx) => Promise<Project>): Promise<Project>;
};

/**
 * Copies the branches and tags of a project into a new one of the caller. The fork is made in one transaction with
 * everything in it, or not at all.
 */
export async function forkProject(forking: Forking, asked: Asked): Promise<Project> {
  const { db, slots, caches, quarantineRoot } = forking;
  const { principal, projectId, limits } = asked;
  if (principal.serviceAccount) throw forbidden('A service account can act only in its own projects');
  const origin = await readableProject(db, projectId, principal.userId);
  if (!origin.version_control) throw conflict('The project is not under version control');
  const refs = (await listAllRefs(db, projectId)).filter(({ name }) => isCopied(name));
  const named = { ...asked, input: { name: origin.name, description: origin.description, ...asked.input } };
  if (refs.length === 0) return asked.make((trx) => store(trx, forking, named, null));
  const copy = (directory: string) =>
    caches.withCache(projectId, async (cache) => {
      await borrowObjects([cache], directory);
      let made: Project | undefined;
      const commands = refs.map(({ name, sha }) => ({ name, from: null, to: sha }));
      await takeReceived(forking, commands, directory, {
        isAtomic: true,
        maxFiles: async () => maxFilesOf(limits),
        async store(checked) {
          made = await asked.make((trx) => store(trx, forking, named, checked));
          return new Map();
        },
      });
      if (!made) throw conflict('The project has changed in the meantime; try again');
      return made;
    });
  return slots.run(principal.userId, () => withQuarantine(quarantineRoot, copy)).catch(inOwnWords);
}

const isCopied = (name: string): boolean => name.startsWith(branchPrefix) || name.startsWith('refs/tags/');

type Named = Asked & { input: { name: string; description: string } };

async function store(
  trx: Trx,
  { quota, publicUrl, limits }: Forking,
  { principal, projectId, input, limits: plan, cause }: Named,
  checked: CheckedPush | null,
): Promise<Project> {
  // The right may have ended while git read the objects.
  await readableProject(trx, projectId, principal.userId);
  const settings = { auto_deploy: false, auto_preview: false };
  const fork = { ...input, settings, forked_from: projectId };
  const made = await createEmptyProject(trx, principal, fork, { limits: plan, cause });
  if (!checked) return made;
  const project = await lockWritableProject(trx, made.id, principal.userId);
  const context = { cause, publicUrl: publicUrl(), fileLimit: limits.file, quota, pushed: async () => undefined };
  const refused = await storePush(trx, project, checked, context);
  if (refused.size > 0) throw conflict('The project has changed in the meantime; try again');
  return made;
}
