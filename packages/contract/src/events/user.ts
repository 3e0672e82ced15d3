import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { ada, Changes, exactly, orNull, text } from './fields.ts';

const account = {
  user_id: text,
  name: text,
  email: text,
  username: text,
  role: Type.Enum(['admin', 'user']),
  created_at: Timestamp,
};
const example = {
  user_id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...ada,
  role: 'user',
  created_at: '2026-01-02T03:04:05.678Z',
} as const;
const session_id = 'sgn_01jd2m6vz8e3r9x5k7q4w1t0ab';

export const userEvents = eventFamily(
  { scope: 'read:user', subject: 'user', fieldNames: { user_id: 'id' } },
  {
    'user.registered': {
      description: 'An account was created',
      names: { reference: 'user.registered', core: null, guide: 'user.created' },
      data: exactly({ ...account, metadata: exactly({ source: text }) }),
      example: { ...example, metadata: { source: 'sign-up' } },
      inGuide: { only: ['id', 'email', 'name', 'role', 'created_at', 'metadata'] },
    },
    'user.updated': {
      description: 'A profile or preferences were changed',
      names: { reference: null, core: null, guide: 'user.updated' },
      data: exactly({ ...account, changes: Changes }),
      example: { ...example, changes: { name: { from: 'Ada Byron', to: 'Ada Lovelace' } } },
    },
    'user.deleted': {
      description: 'An account was deleted',
      names: { reference: null, core: null, guide: 'user.deleted' },
      data: exactly({ ...account, deleted_at: Timestamp }),
      example: { ...example, deleted_at: '2026-02-02T03:04:05.678Z' },
    },
    'user.login': {
      description: 'Someone signed in',
      names: { reference: 'user.login', core: null, guide: 'user.login' },
      data: exactly({
        ...account,
        session_id: text,
        ip_address: orNull(text),
        user_agent: orNull(text),
        second_factor: Type.Boolean(),
        signed_in_at: Timestamp,
      }),
      example: {
        ...example,
        session_id,
        ip_address: '198.51.100.7',
        user_agent: 'Mozilla/5.0',
        second_factor: true,
        signed_in_at: '2026-01-03T03:04:05.678Z',
      },
    },
    'user.logout': {
      description: 'Someone signed out',
      names: { reference: 'user.logout', core: null, guide: 'user.logout' },
      data: exactly({ ...account, session_id: text, signed_out_at: Timestamp }),
      example: { ...example, session_id, signed_out_at: '2026-01-03T09:04:05.678Z' },
    },
  },
);
