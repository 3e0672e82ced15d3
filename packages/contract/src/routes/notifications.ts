import { NotificationList, NotificationQuery, NotificationsRead, ReadNotifications } from '../notifications.ts';
import { defineRoutes } from './route.ts';

export const notificationRoutes = defineRoutes('Notifications', {
  listNotifications: {
    address: 'GET /notifications',
    access: 'signed-in',
    forServiceAccounts: true,
    summary: 'List what concerns you, newest first',
    description:
      'Each needs the scope to read what it is about. What is of a project that you no longer see is not shown.',
    query: NotificationQuery,
    responses: { 200: NotificationList },
  },
  readNotifications: {
    address: 'POST /notifications/read',
    access: 'write:user',
    summary: 'Mark notifications as read: some by their ids, or all',
    body: ReadNotifications,
    responses: { 200: NotificationsRead },
  },
});
