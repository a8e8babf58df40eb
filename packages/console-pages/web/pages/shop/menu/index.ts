export { PauseSwitch } from './pause-switch.tsx';
