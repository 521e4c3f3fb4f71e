# Marks of OSC 133 for a fish that tmuxprim has opened with shell_integration=True.
# They are numbered: only a command that reads the variable below can print the marks of its shell.

# It begins where no other shell does, so that a recorded session of one is not taken for this.
set -g __tmuxprim_number (builtin random 1 999999999)
set -g __tmuxprim_status 0

# fish runs handlers in the order of their definition, and has read the user's files by now.
function __tmuxprim_begins --on-event fish_preexec
    builtin printf '\e]133;C;tmuxprim=%s\a' $__tmuxprim_number
end

function __tmuxprim_ended --on-event fish_postexec
    set -g __tmuxprim_status $status
    set -g __tmuxprim_number (builtin math $__tmuxprim_number + 1)
    builtin printf '\e]133;D;%s;tmuxprim=%s\a' $__tmuxprim_status $__tmuxprim_number
end

# fish has marked the end of the output by now, so no command can have written this.
function __tmuxprim_prompts --on-event fish_prompt
    builtin printf '\e]133;A;status=%s;tmuxprim=%s\a' $__tmuxprim_status $__tmuxprim_number
end
