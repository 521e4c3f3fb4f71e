# An installer as there are many: it asks, downloads, and asks again. It writes no files.
#
#   INSTALL_FAILURES=2  the first downloads fail, so many of them
#   INSTALL_CRASHES=1   the download ends the installer by a signal
#   INSTALL_STALLS=1    the download stands still half-way
#   INSTALL_HANGS=1     the question after the licence never comes
#   INSTALL_ASKS_MORE=1 there is a question that nobody expects

ask_password() {
    while true; do
        read -r -s -p "Password (8 characters or more): " password
        echo
        [ ${#password} -ge 8 ] && return
        echo "Too short."
    done
}

ask_components() {
    while true; do
        read -r -p "Components (1 core, 2 full, 3 source): " choice
        case $choice in [123]) return ;; esac
        echo "There is no '$choice'."
    done
}

draw_bar() { # percent
    hashes="##########"
    printf '\r[%-10s] %d%%' "${hashes:0:$1 / 10}" "$1"
}

download() { # number of the attempt
    for percent in 0 10 20 30 40 50 60 70 80 90; do
        draw_bar $percent
        sleep 0.02
        if [ $percent = 50 ] && [ -n "$INSTALL_STALLS" ]; then sleep 1000; fi
        if [ $percent = 50 ] && [ -n "$INSTALL_CRASHES" ]; then kill -KILL $$; fi
        if [ $percent = 60 ] && [ "$1" -le "${INSTALL_FAILURES:-0}" ]; then
            echo
            echo "Download failed: connection reset"
            return 1
        fi
    done
    draw_bar 100
    echo
}

read -r -p "Do you accept the licence? [y/N] " licence
case $licence in [yY]) ;; *)
    echo "Licence declined."
    exit 1
    ;;
esac
if [ -n "$INSTALL_HANGS" ]; then sleep 1000; fi
read -r -p "Install path [/opt/tool]: " path
ask_password
if [ -n "$INSTALL_ASKS_MORE" ]; then read -r -p "Usage data (y/n)> " _; fi
ask_components
attempt=1
until download $attempt; do
    read -r -p "Retry? [y/n] " again
    if [ "$again" != y ]; then
        echo "Nothing was installed."
        exit 1
    fi
    attempt=$((attempt + 1))
done
echo "Installed in ${path:-/opt/tool}"
