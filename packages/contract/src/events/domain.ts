import { Type } from 'typebox';
import { domainReasonTypes } from '../domains.ts';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { exactly, inExampleProject, inProject, text } from './fields.ts';

const domain = { domain_id: text, ...inProject, domain: text };
const example = { domain_id: 'dom_01jd2m6vz8e3r9x5k7q4w1t0ab', ...inExampleProject, domain: 'www.example.com' };

export const domainEvents = eventFamily(
  { scope: 'read:projects', subject: 'domain', fieldNames: { domain_id: 'id', domain: 'name' } },
  {
    'domain.verified': {
      description: 'A project proved that it owns a domain',
      names: { reference: 'domain.verified', core: null, guide: null },
      data: exactly({ ...domain, verified_at: Timestamp }),
      example: { ...example, verified_at: '2026-01-03T03:05:00.000Z' },
    },
    'domain.failed': {
      description: 'A domain could not be verified, or its proof of ownership was missing for several days',
      names: { reference: 'domain.failed', core: null, guide: null },
      data: exactly({
        ...domain,
        failed_at: Timestamp,
        reason: exactly({ type: Type.Enum(domainReasonTypes), message: text }),
      }),
      example: {
        ...example,
        failed_at: '2026-01-10T03:05:00.000Z',
        reason: { type: 'proof_missing', message: 'No DNS record proves that the domain belongs to this project' },
      },
    },
  },
);
