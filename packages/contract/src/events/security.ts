import { Type } from 'typebox';
import { eventFamily } from './family.ts';
import { ada, exactly, orNull, text } from './fields.ts';

export const securityEvents = eventFamily(
  { scope: 'read:user', subject: 'alert', fieldNames: { alert_id: 'id' } },
  {
    'security.alert': {
      description: 'Sign-ins failed repeatedly, a credential leaked, or somebody tried to guess a credential',
      names: { reference: 'security.alert', core: null, guide: null },
      data: exactly({
        alert_id: text,
        alert_type: text,
        severity: Type.Enum(['low', 'medium', 'high', 'critical']),
        title: text,
        description: text,
        user: exactly({ user_id: orNull(text), username: orNull(text), email: orNull(text) }),
        details: exactly({
          ip_address: orNull(text),
          location: orNull(text),
          user_agent: orNull(text),
          failed_attempts: orNull(Type.Integer()),
          time_window: orNull(text),
        }),
        actions_taken: Type.Array(text),
        recommended_actions: Type.Array(text),
      }),
      example: {
        alert_id: 'alt_01jd2m6vz8e3r9x5k7q4w1t0ab',
        alert_type: 'failed_sign_ins',
        severity: 'high',
        title: 'Repeated failed sign-ins',
        description: 'Someone tried to sign in to this account with wrong passwords.',
        user: { user_id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab', username: ada.username, email: ada.email },
        details: {
          ip_address: '198.51.100.7',
          location: null,
          user_agent: 'curl/8.5.0',
          failed_attempts: 10,
          time_window: '15 minutes',
        },
        actions_taken: ['Further attempts are delayed'],
        recommended_actions: ['Change the password', 'Turn on the second factor'],
      },
    },
  },
);
