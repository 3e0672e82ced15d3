import { type AddDomain, routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { type App, causeOf, createOnce, handle, type Once, principalOf, trimming } from '../foundation/http/index.ts';
import type { OwnHosts } from '../foundation/tls/own-names.ts';
import { projectOfMember } from '../projects/index.ts';
import type { Checking } from './check.service.ts';
import {
  addDomain,
  changeDomain,
  type DomainLimits,
  domainChecks,
  listDomains,
  readDomain,
  removeDomain,
  verifyDomain,
} from './domains.service.ts';

type Options = { once: Once; checking: Checking; hosts: OwnHosts; limits: DomainLimits };

const placeOf = ({ params }: { params: { project_id: string; domain: string } }) => ({
  projectId: params.project_id,
  domain: params.domain,
});

export function domainRoutes(app: App, { once, checking, hosts, limits }: Options): void {
  const { db, here } = checking;

  handle(app, routes.listDomains, async (request) => ({
    data: await listDomains(db, principalOf(request), request.params.project_id, here),
  }));

  const checks = (request: FastifyRequest) => {
    const { project_id: id } = request.params as { project_id: string };
    const { redirect_to: redirects, ...others } = domainChecks(db, id, hosts);
    return {
      ...others,
      redirect_to: async (given: string, input: Partial<AddDomain>) => {
        await projectOfMember(db, id, principalOf(request).userId);
        await redirects?.(given, input);
      },
    };
  };
  handle(app, routes.addDomain, { preValidation: trimming('domain'), checks }, async (request, reply) => {
    const adding = { hosts, limits, here: await here(), cause: causeOf(request) };
    return createOnce(once, request, reply, (trx) =>
      addDomain(trx, principalOf(request), request.params.project_id, request.body, adding),
    );
  });

  handle(app, routes.readDomain, (request) => readDomain(db, principalOf(request), placeOf(request), here));

  handle(app, routes.changeDomain, (request) =>
    changeDomain(db, principalOf(request), placeOf(request), { patch: request.body, here, cause: causeOf(request) }),
  );

  handle(app, routes.removeDomain, (request) =>
    removeDomain(db, principalOf(request), placeOf(request), causeOf(request)),
  );

  handle(app, routes.verifyDomain, (request) =>
    verifyDomain(checking, principalOf(request), placeOf(request), causeOf(request)),
  );
}
