import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';

export const domainStates = ['pending', 'verified', 'active', 'failed'] as const;

/** Why a domain is not what it is to become; `type` is for programs, `message` for people. */
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
    description: '`proof` shows whose the domain is, `address` leads visitors here; a CNAME does both',
  }),
  is_set: Type.Boolean({ description: 'As it was found when the domain was last checked' }),
});
export type DomainRecord = Static<typeof DomainRecord>;

const exampleId = 'dom_01jd2m6vz8e3r9x5k7q4w1t0ab';

export const Domain = named('Domain', {
  id: Type.String({ examples: [exampleId] }),
  project_id: Type.String(),
  domain: Type.String({ examples: ['www.example.com'], description: 'In ASCII and lower case' }),
  state: Type.Enum(domainStates, {
    description:
      '`verified`: it is proven to be yours, and whoever asks this service for it is answered. `active`: it leads here, with a certificate where the service speaks TLS.',
  }),
  reason: Type.Union([DomainReason, Type.Null()], { description: 'What stands in the way; null where nothing does' }),
  redirect_to: Type.Union([Type.String(), Type.Null()], {
    description: 'Another domain of the project, which visitors of this one are sent to',
  }),
  records: Type.Array(DomainRecord, {
    description: 'To be set where the DNS of the domain is kept: the CNAME alone, or the TXT and one of the addresses',
  }),
  created_at: Timestamp,
  verified_at: NullableTimestamp,
  checked_at: NullableTimestamp,
});
export type Domain = Static<typeof Domain>;

export const DomainList = Type.Object({ data: Type.Array(Domain) });

/** What makes a name of it is for the server to say; here is only what can be one. */
const DomainName = Type.String({ minLength: 1, maxLength: 253, pattern: lineOfText, examples: ['www.example.com'] });
const RedirectTo = Type.Union([DomainName, Type.Null()], {
  description: 'Another domain of the same project, such as the name without www; null: none',
});

export const AddDomain = strict({ domain: DomainName, redirect_to: Type.Optional(RedirectTo) });
export type AddDomain = Static<typeof AddDomain>;

export const PatchDomain = strict({ redirect_to: Type.Optional(RedirectTo) });
export type PatchDomain = Static<typeof PatchDomain>;
