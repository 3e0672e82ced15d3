import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';

export const domainStates = ['pending', 'verified', 'active', 'failed'] as const;

/** Why a domain is not active yet. `type` is for programs, and `message` is for people. */
export const domainReasonTypes = [
  'proof_missing',
  'lookup_failed',
  'held_elsewhere',
  'not_leading_here',
  'certificate_awaited',
  'certificate_failed',
  'certificate_limit',
] as const;

const DomainReason = Type.Object({ type: Type.Enum(domainReasonTypes), message: Type.String() });
export type DomainReason = Static<typeof DomainReason>;

const DomainRecord = Type.Object({
  type: Type.Enum(['TXT', 'CNAME', 'A', 'AAAA']),
  name: Type.String(),
  value: Type.String(),
  purpose: Type.Enum(['proof', 'address'], {
    description:
      '`proof` proves that you own the domain; `address` points the domain to this service. A CNAME does both.',
  }),
  is_set: Type.Boolean({ description: 'Whether the last check found the record' }),
});
export type DomainRecord = Static<typeof DomainRecord>;

const exampleId = 'dom_01jd2m6vz8e3r9x5k7q4w1t0ab';

export const Domain = named('Domain', {
  id: Type.String({ examples: [exampleId] }),
  project_id: Type.String(),
  domain: Type.String({ examples: ['www.example.com'], description: 'The domain name in lowercase ASCII' }),
  state: Type.Enum(domainStates, {
    description:
      '`verified`: you proved that you own the domain, and the service responds to requests for it. `active`: the domain also points to this service and, if the service uses TLS, has a certificate.',
  }),
  reason: Type.Union([DomainReason, Type.Null()], {
    description: 'Why the domain is not active; null if there is no problem',
  }),
  redirect_to: Type.Union([Type.String(), Type.Null()], {
    description: 'Another domain of the project to which visitors are redirected',
  }),
  records: Type.Array(DomainRecord, {
    description:
      'Records to set at the domain’s DNS provider: either only the CNAME, or the TXT and one of the address records',
  }),
  created_at: Timestamp,
  verified_at: NullableTimestamp,
  checked_at: NullableTimestamp,
});
export type Domain = Static<typeof Domain>;

export const DomainList = Type.Object({ data: Type.Array(Domain) });

/** Limits only the length and the characters of a name. The server decides whether the name is valid. */
const DomainName = Type.String({ minLength: 1, maxLength: 253, pattern: lineOfText, examples: ['www.example.com'] });
const RedirectTo = Type.Union([DomainName, Type.Null()], {
  description: 'Another domain of the same project, such as the name without www; null means no redirect',
});

export const AddDomain = strict({ domain: DomainName, redirect_to: Type.Optional(RedirectTo) });
export type AddDomain = Static<typeof AddDomain>;

export const PatchDomain = strict({ redirect_to: Type.Optional(RedirectTo) });
export type PatchDomain = Static<typeof PatchDomain>;
