import { AddDomain, Domain, DomainList, PatchDomain } from '../domains.ts';
import { defineRoutes, noContent } from './route.ts';

const outsideAnswering =
  'Whoever reads a public project without being one of its people sees the domains that are verified or active, by name and state.';
const byName = 'A domain is named by itself or by its id. ';

export const domainRoutes = defineRoutes('Domains', {
  listDomains: {
    address: 'GET /projects/{project_id}/domains',
    access: 'read:projects',
    summary: 'List the domains of a project',
    description: `Needs the scope \`read:projects\`. ${outsideAnswering}`,
    responses: { 200: DomainList },
  },
  addDomain: {
    address: 'POST /projects/{project_id}/domains',
    access: 'write:projects',
    summary: 'Add a domain; the answer has the DNS records to set',
    description:
      'Needs the scope `write:projects` and the permission manage. The domain is checked by itself from now on, and answers once it is verified. ' +
      'Others may add the same domain: it is theirs whose proof is found.',
    body: AddDomain,
    responses: { 201: Domain },
  },
  readDomain: {
    address: 'GET /projects/{project_id}/domains/{domain}',
    access: 'read:projects',
    summary: 'Read a domain',
    description: `${byName}Needs the scope \`read:projects\`. ${outsideAnswering}`,
    responses: { 200: Domain },
  },
  changeDomain: {
    address: 'PATCH /projects/{project_id}/domains/{domain}',
    access: 'write:projects',
    summary: 'Say where a domain redirects to',
    description: `${byName}Needs the scope \`write:projects\` and the permission manage.`,
    body: PatchDomain,
    responses: { 200: Domain },
  },
  removeDomain: {
    address: 'DELETE /projects/{project_id}/domains/{domain}',
    access: 'write:projects',
    summary: 'Remove a domain; nothing answers there any more',
    description: `${byName}Needs the scope \`write:projects\` and the permission manage.`,
    responses: { 204: noContent },
  },
  verifyDomain: {
    address: 'POST /projects/{project_id}/domains/{domain}/verify',
    access: 'write:projects',
    summary: 'Check a domain now',
    description: `${byName}Needs the scope \`write:projects\` and the permission manage. At most 60 an hour in a project.`,
    responses: { 200: Domain },
  },
});
