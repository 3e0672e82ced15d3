import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { exactly, text } from './fields.ts';

/** Contains only the id, because administrators receive the events of every account but may not see the contents. */
export const notificationEvents = eventFamily(
  { scope: 'read:user', subject: 'notification', fieldNames: { notification_id: 'id', notification_type: 'type' } },
  {
    'notification.created': {
      description: 'A user received a notification',
      names: { reference: 'notification.created', core: null, guide: null },
      data: exactly({
        notification_id: text,
        user_id: text,
        notification_type: Type.String({ description: 'Type of the notification, such as `mention`' }),
        created_at: Timestamp,
      }),
      example: {
        notification_id: 'ntf_01jd2m6vz8e3r9x5k7q4w1t0ab',
        user_id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab',
        notification_type: 'mention',
        created_at: '2026-01-03T03:04:05.678Z',
      },
    },
  },
);
