// Preloaded into every process the sandbox starts: standard input closes when the supervisor ends, however it ends. This process then
// drains and ends, which frees its port.
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.once('error', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();
(process.stdin as typeof process.stdin & { unref?: () => void }).unref?.();
