import type { PutVariable, Variable } from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { permissionsOf } from '../../projects/access/index.ts';
import { lockWritableProject, projectOfMember, type WritableProject } from '../../projects/index.ts';
import { tellChanged } from './variables.events.ts';
import * as rows from './variables.sql.ts';

type Context = { box: SecretBox; cause: Cause };
type Which = { projectId: string; name: string };

/** Limits of a project's variables. Every deployment stores a copy of them. */
const maxValues = 200;
const maxBytes = 512 * 1024;

const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

export async function listVariables(
  db: Db,
  { userId }: Principal,
  projectId: string,
  box: SecretBox,
): Promise<Variable[]> {
  const project = await projectOfMember(db, projectId, userId);
  const mayChange = permissionsOf(project, userId).includes('write');
  const variables = await rows.listVariables(db, projectId);
  return variables.map((row) => asVariable(row, mayChange ? box : null));
}

/**
 * Sets a variable. A name has only one value in each environment. So the given environments are removed from all other
 * values of the name. If a value already has exactly these environments, it is replaced.
 */
export async function putVariable(
  db: Db,
  { userId }: Principal,
  { projectId, name }: Which,
  input: PutVariable,
  { box, cause }: Context,
): Promise<Variable> {
  return transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, projectId, userId);
    if (!namePattern.test(name))
      throw invalid('name', 'must consist of letters, digits and underscores, and must not begin with a digit');
    const environments = input.environments ? [...input.environments].sort() : null;
    const written = {
      kind: input.kind ?? ('secret' as const),
      value_encrypted: box.seal(input.value),
      updated_by: cause.actorId,
    };
    const present = await rows.listNamed(trx, projectId, name);
    const same = present.find((row) => isSameList(row.environments, environments));
    const id = same?.id ?? newId('var');
    if (same) await rows.changeValue(trx, { id, ...written });
    else {
      await takeEnvironments(trx, { project, present, environments: environments ?? [], cause });
      await rows.insertVariable(trx, { id, project_id: projectId, name, environments, ...written });
    }
    await mustFit(trx, projectId);
    const row = (await rows.listNamed(trx, projectId, name)).find((one) => one.id === id);
    if (!row) throw new Error('the written variable is missing');
    await tellChanged(trx, project, { row, deleted: false }, cause);
    return asVariable(row, box);
  });
}

/**
 * Deletes values of a name. With null, deletes all of them. With `*`, deletes only the value for all other
 * environments.
 */
export async function deleteVariable(
  db: Db,
  { userId }: Principal,
  { projectId, name }: Which,
  wanted: string | undefined,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, projectId, userId);
    const present = namePattern.test(name) ? await rows.listNamed(trx, projectId, name) : [];
    const environments = wanted === undefined || wanted === '*' ? [] : wanted.split(',');
    const whole = present.filter((row) => wanted === undefined || (wanted === '*' && row.environments === null));
    const isThere =
      whole.length > 0 || present.some((row) => row.environments?.some((one) => environments.includes(one)));
    if (!isThere) throw notFound('Variable');
    await remove(trx, project, whole, cause);
    await takeEnvironments(trx, { project, present, environments, cause });
  });
}

type Taking = { project: WritableProject; present: rows.VariableRow[]; environments: string[]; cause: Cause };

async function takeEnvironments(trx: Trx, { project, present, environments, cause }: Taking): Promise<void> {
  for (const row of present) {
    const kept = row.environments?.filter((one) => !environments.includes(one));
    if (!kept || kept.length === row.environments?.length) continue;
    if (kept.length === 0) await remove(trx, project, [row], cause);
    else {
      await rows.changeEnvironments(trx, { id: row.id, environments: kept, updated_by: cause.actorId });
      const changed = { ...row, environments: kept, version: row.version + 1, updated_at: new Date() };
      await tellChanged(trx, project, { row: changed, deleted: false }, cause);
    }
  }
}

async function remove(trx: Trx, project: WritableProject, gone: rows.VariableRow[], cause: Cause): Promise<void> {
  await rows.deleteVariables(
    trx,
    gone.map(({ id }) => id),
  );
  for (const row of gone)
    await tellChanged(trx, project, { row: { ...row, updated_at: new Date() }, deleted: true }, cause);
}

/**
 * Throws if the project now has too many variables. The caller has locked the project's row, so nobody else adds a
 * variable meanwhile.
 */
async function mustFit(trx: Trx, projectId: string): Promise<void> {
  const { count, bytes } = await rows.sizeOfVariables(trx, projectId);
  if (count > maxValues) throw conflict(`A project can have at most ${maxValues} variable values`);
  if (bytes > maxBytes) {
    throw new AppError('VALIDATION_ERROR', `The variables of a project can have at most ${maxBytes} bytes`, {
      status: 413,
    });
  }
}

const isSameList = (one: string[] | null, other: string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A variable as the API shows it. Without a box, its value is not shown. */
function asVariable(row: rows.VariableRow, box: SecretBox | null): Variable {
  const { updated_by: by, updated_by_name: byName } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    kind: row.kind,
    value: box && row.kind === 'plain' ? box.open(row.value_encrypted) : null,
    environments: row.environments,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    updated_by: by === null || byName === null ? null : { id: by, name: byName },
  };
}
