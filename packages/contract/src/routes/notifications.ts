import { NotificationList, NotificationQuery, NotificationsRead, ReadNotifications } from '../notifications.ts';
import { defineRoutes } from './route.ts';

export const notificationRoutes = defineRoutes('Notifications', {
  listNotifications: {
    address: 'GET /notifications',
    access: 'signed-in',
    forServiceAccounts: true,
    summary: 'List your notifications, newest first',
    description:
      'To see a notification, you need the scope for reading what it is about. Notifications about projects that you can no longer see are omitted.',
    query: NotificationQuery,
    responses: { 200: NotificationList },
  },
  readNotifications: {
    address: 'POST /notifications/read',
    access: 'write:user',
    summary: 'Mark some or all notifications as read',
    body: ReadNotifications,
    responses: { 200: NotificationsRead },
  },
});
