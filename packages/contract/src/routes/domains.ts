import { AddDomain, Domain, DomainList, PatchDomain } from '../domains.ts';
import { defineRoutes, noContent } from './route.ts';

const outsideAnswering =
  'Users who are not members of a public project see the names and states of its verified and active domains.';
const byName = 'Identify the domain by its name or its id. ';

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
    summary: 'Add a domain; the response has the DNS records to set',
    description:
      'Needs the scope `write:projects` and the permission manage. The service checks the domain from now on, and serves it once it is verified. ' +
      'Several projects can add the same domain: it belongs to the one whose proof is found.',
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
    summary: 'Change the redirect of a domain',
    description: `${byName}Needs the scope \`write:projects\` and the permission manage.`,
    body: PatchDomain,
    responses: { 200: Domain },
  },
  removeDomain: {
    address: 'DELETE /projects/{project_id}/domains/{domain}',
    access: 'write:projects',
    summary: 'Remove a domain; it is no longer served',
    description: `${byName}Needs the scope \`write:projects\` and the permission manage.`,
    responses: { 204: noContent },
  },
  verifyDomain: {
    address: 'POST /projects/{project_id}/domains/{domain}/verify',
    access: 'write:projects',
    summary: 'Check a domain now',
    description: `${byName}Needs the scope \`write:projects\` and the permission manage. At most 60 checks an hour per project.`,
    responses: { 200: Domain },
  },
});
