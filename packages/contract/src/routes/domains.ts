import { AddDomain, Domain, DomainList, PatchDomain } from '../domains.ts';
import { defineRoutes, noContent } from './route.ts';

const outsideAnswering =
  'On a public project, users who are not members see only the names and states of verified and active domains.';
const byName = 'Identify the domain by its name or its id. ';

export const domainRoutes = defineRoutes('Domains', {
  listDomains: {
    address: 'GET /projects/{project_id}/domains',
    access: 'read:projects',
    summary: "List a project's domains",
    description: `Requires the \`read:projects\` scope. ${outsideAnswering}`,
    responses: { 200: DomainList },
  },
  addDomain: {
    address: 'POST /projects/{project_id}/domains',
    access: 'write:projects',
    summary: 'Add a domain and get the DNS records to set',
    description:
      'Requires the `write:projects` scope and the `manage` permission. The service checks the domain regularly and serves it as soon as it is verified. ' +
      'Several projects can add the same domain, but the domain belongs to the project that proves its ownership of the domain.',
    body: AddDomain,
    responses: { 201: Domain },
  },
  readDomain: {
    address: 'GET /projects/{project_id}/domains/{domain}',
    access: 'read:projects',
    summary: 'Read a domain',
    description: `${byName}Requires the \`read:projects\` scope. ${outsideAnswering}`,
    responses: { 200: Domain },
  },
  changeDomain: {
    address: 'PATCH /projects/{project_id}/domains/{domain}',
    access: 'write:projects',
    summary: "Change a domain's redirect",
    description: `${byName}Requires the \`write:projects\` scope and the \`manage\` permission.`,
    body: PatchDomain,
    responses: { 200: Domain },
  },
  removeDomain: {
    address: 'DELETE /projects/{project_id}/domains/{domain}',
    access: 'write:projects',
    summary: 'Remove a domain and stop serving it',
    description: `${byName}Requires the \`write:projects\` scope and the \`manage\` permission.`,
    responses: { 204: noContent },
  },
  verifyDomain: {
    address: 'POST /projects/{project_id}/domains/{domain}/verify',
    access: 'write:projects',
    summary: 'Check a domain now',
    description: `${byName}Requires the \`write:projects\` scope and the \`manage\` permission. The limit is 60 checks per hour and project.`,
    responses: { 200: Domain },
  },
});
