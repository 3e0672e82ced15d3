export { orderCertificate } from './order.ts';
export { askRenewalInfo, chooseTime, defaultTime } from './renewal-info.ts';
export { AcmeError, type Directory, openSession, readDirectory, type Session } from './session.ts';
export { challengeCertificate, newKey, renewalIdOf } from './x509.ts';
