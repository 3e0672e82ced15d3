import type { AddDomain, AuditAction, Domain, PatchDomain, Plan } from '@bottega/contract';
import { type Db, type Queries, type Trx, transaction } from '../foundation/db/index.ts';
import { type Cause, conflict, forbidden, invalid, notFound, type Principal } from '../foundation/http/index.ts';
import { checkFields, type FieldChecks } from '../foundation/http/request/field-checks.ts';
import { newId } from '../foundation/ids.ts';
import type { OwnHosts } from '../foundation/tls/own-names.ts';
import { recordAudit } from '../identity/audit/index.ts';
import { budgetKey, takeFromAll, tooMany } from '../identity/rate-limits/index.ts';
import { isMember, mustBeMember } from '../projects/access/index.ts';
import { lockManageableProject, readableProject, type WritableProject } from '../projects/index.ts';
import { type Checking, checkDomain } from './check.service.ts';
import * as rows from './domains.sql.ts';
import { asDomain, asDomainForOutsider, type Here } from './domains.view.ts';
import { domainToAdd, plainDomain } from './names.ts';

export type DomainLimits = Record<Plan, number | null>;
type Place = { projectId: string; domain: string };

/**
 * Maximum number of domains of one project on any plan. All of them are listed on one page, and each has to be checked
 * regularly.
 */
const maxPerProject = 50;
const hour = 3_600;
const addedADay = 100;
const checksAnHour = { ofProject: 60, ofAccount: 300 };

export async function listDomains(
  db: Db,
  { userId }: Principal,
  projectId: string,
  here: () => Promise<Here>,
): Promise<Domain[]> {
  const project = await readableProject(db, projectId, userId);
  const [found, place] = await Promise.all([rows.listDomains(db, projectId), here()]);
  if (isMember(project, userId)) return found.map((row) => asDomain(row, place));
  return found.filter(answers).map((row) => asDomainForOutsider(row, place));
}

export async function readDomain(
  db: Db,
  { userId }: Principal,
  { projectId, domain }: Place,
  here: () => Promise<Here>,
): Promise<Domain> {
  const project = await readableProject(db, projectId, userId);
  const row = await find(db, projectId, domain);
  if (!row || !answers(row)) mustBeMember(project, userId);
  if (!row) throw notFound('Domain');
  return isMember(project, userId) ? asDomain(row, await here()) : asDomainForOutsider(row, await here());
}

/** True if the project is served at this domain. */
const answers = ({ state }: rows.DomainRow): boolean => state === 'verified' || state === 'active';

type Adding = { hosts: OwnHosts; limits: DomainLimits; here: Here; cause: Cause };

export async function addDomain(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  input: AddDomain,
  { hosts, limits, here, cause }: Adding,
): Promise<Domain> {
  const project = await lockManageableProject(trx, projectId, userId);
  await checkFields(input, domainChecks(trx, projectId, hosts));
  const domain = domainToAdd(input.domain, hosts);
  await mustHaveRoom(trx, project, limits);
  const redirect_to = await redirectOf(trx, projectId, { domain, given: input.redirect_to ?? null });
  const row = await rows.insertDomain(trx, { id: newId('dom'), project_id: projectId, domain, redirect_to });
  if (!row) throw conflict('The project already has this domain');
  await noteInAudit(trx, 'domain.added', { project, row, cause });
  return asDomain(row, here);
}

export const domainChecks = (db: Queries, projectId: string, hosts: OwnHosts): FieldChecks<AddDomain> => ({
  domain: (given) => domainToAdd(given, hosts),
  redirect_to: (given, { domain = '' }) => redirectOf(db, projectId, { domain: plainDomain(domain) ?? '', given }),
});

/**
 * Throws if there is no room for another domain. The limit of the project's owner applies, even if another user adds
 * the domain, because certificates and checks are counted for the owner.
 */
async function mustHaveRoom(trx: Trx, { id, owner_id, owner_plan }: WritableProject, limits: DomainLimits) {
  const max = limits[owner_plan];
  if (max !== null && (await rows.countOfAccount(trx, owner_id)) >= max) {
    throw forbidden(`The ${owner_plan} plan allows ${max} domains`);
  }
  if ((await rows.listDomains(trx, id)).length >= maxPerProject) {
    throw forbidden(`A project can have at most ${maxPerProject} domains`);
  }
  const budget = { key: budgetKey('domains added', owner_id), max: addedADay, windowSeconds: 24 * hour };
  const exhausted = await takeFromAll(trx, [budget]);
  if (exhausted) throw tooMany('domains', exhausted);
}

/**
 * Throws if the new owner of a project has no room for its domains. Called before a transfer, after which the domains
 * count towards the new owner's limit.
 */
export async function mustHaveRoomForProject(
  trx: Trx,
  projectId: string,
  { userId, plan }: Pick<Principal, 'userId' | 'plan'>,
  limits: DomainLimits,
): Promise<void> {
  const max = limits[plan];
  const moving = (await rows.listDomains(trx, projectId)).length;
  if (max === null || moving === 0) return;
  const owned = await rows.countOfAccount(trx, userId);
  if (owned + moving <= max) return;
  throw forbidden(`The ${plan} plan allows ${max} domains; you have ${owned}, and the project has ${moving}`);
}

export async function changeDomain(
  db: Db,
  { userId }: Principal,
  { projectId, domain }: Place,
  { patch, here, cause }: { patch: PatchDomain; here: () => Promise<Here>; cause: Cause },
): Promise<Domain> {
  const place = await here();
  return transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    const row = await mustFind(trx, projectId, domain);
    if (patch.redirect_to === undefined) return asDomain(row, place);
    const redirect_to = await redirectOf(trx, projectId, { domain: row.domain, given: patch.redirect_to });
    await rows.setRedirect(trx, row.id, redirect_to);
    await noteInAudit(trx, 'domain.changed', { project, row: { ...row, redirect_to }, cause });
    return asDomain({ ...row, redirect_to }, place);
  });
}

/**
 * Checks the target of a redirect. The target must not redirect itself, so that no loop can form. The caller locks the
 * project's row.
 */
async function redirectOf(
  trx: Queries,
  projectId: string,
  { domain, given }: { domain: string; given: string | null },
): Promise<string | null> {
  if (given === null) return null;
  const name = plainDomain(given);
  const all = await rows.listDomains(trx, projectId);
  const target = all.find((one) => one.domain === name);
  if (!target || target.domain === domain) throw invalid('redirect_to', 'must be another domain of the project');
  if (target.redirect_to !== null) throw invalid('redirect_to', 'itself redirects to another domain');
  if (all.some((one) => one.redirect_to === domain)) {
    throw invalid('redirect_to', 'cannot be set while another domain redirects to this one');
  }
  return target.domain;
}

export async function removeDomain(
  db: Db,
  { userId }: Principal,
  { projectId, domain }: Place,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    const row = await mustFind(trx, projectId, domain);
    await rows.deleteDomain(trx, row);
    await noteInAudit(trx, 'domain.removed', { project, row, cause });
  });
}

/** Checks a domain now instead of at its scheduled time. The transaction ends before the DNS lookup. */
export async function verifyDomain(
  checking: Checking,
  principal: Principal,
  place: Place,
  cause: Cause,
): Promise<Domain> {
  const { db, here } = checking;
  const { projectId, domain } = place;
  const id = await transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, principal.userId);
    const row = await mustFind(trx, projectId, domain);
    const exhausted = await takeFromAll(trx, [
      { key: budgetKey('checks of', projectId), max: checksAnHour.ofProject, windowSeconds: hour },
      { key: budgetKey('checks of', project.owner_id), max: checksAnHour.ofAccount, windowSeconds: hour },
    ]);
    if (exhausted) throw tooMany('domain checks', exhausted);
    return row.id;
  });
  await checkDomain(checking, id, cause);
  return readDomain(db, principal, place, here);
}

/** Finds a domain by name, in any spelling, or by id. An id contains an underscore, so it is never a valid name. */
const find = (db: Queries, projectId: string, which: string): Promise<rows.DomainRow | undefined> =>
  rows.findDomain(db, projectId, plainDomain(which) ?? which);

async function mustFind(db: Queries, projectId: string, which: string): Promise<rows.DomainRow> {
  const row = await find(db, projectId, which);
  if (!row) throw notFound('Domain');
  return row;
}

type Change = Extract<AuditAction, `domain.${string}`>;

async function noteInAudit(
  trx: Trx,
  action: Change,
  { project, row, cause }: { project: WritableProject; row: rows.DomainRow; cause: Cause },
): Promise<void> {
  const { domain, redirect_to } = row;
  const details = { domain, project_id: project.id, ...(redirect_to !== null && { redirect_to }) };
  await recordAudit(trx, { action, accountId: project.owner_id, subjectId: row.id, details }, cause);
}
