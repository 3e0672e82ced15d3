// @ts-check

/** An error whose code is sent to the service. @param {string} code @param {string} message */
export const refusal = (code, message) => Object.assign(new Error(message), { code });
