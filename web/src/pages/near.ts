// The pages that nearly everybody comes to: they share most of what they are made of, so they come with the first script.

export { default as home } from './home';
export { default as missing } from './missing';
export { default as play } from './play';
export { default as settings } from './settings';
export { default as setup } from './setup';
